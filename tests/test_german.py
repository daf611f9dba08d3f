"""German: every accepted reading of a written form is found, spelling variants are one word, numbers stay apart."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.language import german
from bench.language.german.words import cardinal, code, ordinal, words, year
from bench.language.scan import tidy
from tests.paths import covers, errors, readings

HERE = Path(__file__).parent
GOLD = [json.loads(line) for line in (HERE / "data/gold/gold_de_dev.jsonl").read_text(encoding="utf-8").splitlines()]
ROWS = [json.loads(line) for line in (HERE.parent / "data/de.jsonl").read_text(encoding="utf-8").splitlines()]

# Gold cases that the verbaliser does not meet, each with its reason.
UNMET: dict[str, str] = {}

# Words of the set that a perfect transcript gets wrong: Bavarian zwöif and Kölsch aach, where nothing in the written
# row says that the number is not the standard's.
RESIDUAL = {"de_dialect_008": 1, "de_dialect_022": 1}


def read(text: str) -> str:
    return german.normalise(german.verbalise(text))


def joined(text: str) -> str:
    return german.normalise(text).replace(" ", "")


@pytest.mark.parametrize("case", GOLD, ids=lambda case: case["id"])
def test_gold(case: dict) -> None:
    """Number compounds are compared without spaces: a hundred joined or split is the same reading."""
    lattice = german.verbalise(case["written"], "set")
    accepted = [german.normalise(reading) for reading in case["readings"]]
    missing = [reading for reading in accepted if not covers(lattice, reading, spaces=False)]
    met = not missing and joined(read(case["written"])) in map(joined, accepted)
    assert met != (case["id"] in UNMET), f"{lattice} lacks {missing}; best is {read(case['written'])}"


def test_at_most_two_in_a_hundred_gold_cases_are_unmet() -> None:
    assert len(UNMET) <= 0.02 * len(GOLD)


def test_spoken_forms_come_through_unchanged() -> None:
    spoken = [reading for case in GOLD for reading in case["readings"]]
    spoken += [row["spoken_reference"] for row in ROWS if "spoken_reference" in row]
    for text in spoken:
        assert read(text) == german.normalise(text)


def test_sanity_floor() -> None:
    """A perfect transcript in the written form: at most three words of the set are wrong, all of them named here."""
    residual = {}
    for row in ROWS:
        lattice = tidy(row["ref_lattice"], german.normalise)
        assert errors(lattice, german.normalise(row["spoken_reference"]).split()) == 0
        if wrong := errors(lattice, read(row["input_text"]).split()):
            residual[row["case_id"]] = wrong
    assert residual.items() <= RESIDUAL.items()
    assert sum(residual.values()) <= 3


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Straße", "strasse"),
        ("1.250", "1250"),
        ("1'250", "1250"),
        ("Dr. Weber", "Doktor Weber"),
        ("zwo", "zwei"),
        ("zwoundzwanzig", "zweiundzwanzig"),
        ("zwei hundert fünfzig", "zweihundertfünfzig"),
        ("zwei hundertfünfzig", "zweihundertfünfzig"),
        ("zweihundert fünfzig", "zweihundertfünfzig"),
        ("ein und zwanzig", "einundzwanzig"),
        ("neunzehn hundert acht und neunzig", "neunzehnhundertachtundneunzig"),
        ("zwei tausend sieben und zwanzig", "zweitausendsiebenundzwanzig"),
        ("am ein und dreißigsten", "am einunddreissigsten"),
        ("fuenf", "fünf"),
        ("fu\u0308nf", "fünf"),
        ("für", "fuer"),
        ("geht’s", "gehts"),
        ("STRAẞE", "straße"),
        ("14:30 Uhr", "14.30 Uhr"),
        ("5,00 €", "5 Euro"),
    ],
)
def test_the_same_thing_written_twice(one: str, other: str) -> None:
    assert read(one) == read(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("vier acht zwei", "vierhundertzweiundachtzig"),
        ("null fünf hundertsieben", "null fünfhundertsieben"),
        ("achthundert fünf fünf", "achthundertfünf fünf"),
        ("$5", "£5"),
        ("1,5", "15"),
        ("5,50 €", "550 €"),
        ("-5", "5"),
        ("50 %", "50"),
        ("007", "7"),
        ("3. Mai", "13. Mai"),
        ("Masse", "Messe"),
    ],
)
def test_different_things_stay_different(one: str, other: str) -> None:
    assert german.normalise(one) != german.normalise(other)
    assert read(one) != read(other)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("IBAN DE00 5120", ["iban d e null null fünf eins zwei null", "iban d e null null einundfünfzig zwanzig"]),
        ("halb drei um 14:30 Uhr", ["halb drei um vierzehn uhr dreißig", "halb drei um halb drei"]),
        ("10:25 Uhr", ["zehn uhr fünfundzwanzig", "fünf vor halb elf"]),
        ("Dr. h. c. Weber, § 14 StVO", ["doktor honoris causa weber paragraf vierzehn s t v o"]),
        ("1.1.2027", ["erster erster zweitausendsiebenundzwanzig", "erster jänner zwanzigsiebenundzwanzig"]),
        ("Mo.–Fr. 9-17 Uhr", ["montag bis freitag neun bis siebzehn uhr"]),
        ("Maßstab 1:25.000", ["massstab eins zu fünfundzwanzigtausend"]),
        (
            "Anfang 08/2027",
            ["anfang august zweitausendsiebenundzwanzig", "anfang null acht zweitausendsiebenundzwanzig"],
        ),
        ("am 1./2. Mai", ["am ersten zweiten mai", "am ersten und zweiten mai"]),
        ("die 3., 4. und 5. Rate", ["die dritte vierte und fünfte rate"]),
        ("XIV. Jahrhundert, Kapitel IV", ["vierzehntes jahrhundert kapitel vier"]),
        ("Art. 1 GG, Zimmer 12 A", ["artikel eins g g zimmer zwölf a"]),
        ("mit 1 Kunden in 1 Woche, nach 1 Std.", ["mit einem kunden in einer woche nach einer stunde"]),
        ("Az. 3 C 112/26", ["aktenzeichen drei c hundertzwölf schrägstrich sechsundzwanzig"]),
        ("10 - 3 = 7, 6 : 2, 2x2", ["zehn minus drei gleich sieben sechs geteilt durch zwei zwei mal zwei"]),
        ("v1.2, 1.000-mal, ± 2", ["v eins punkt zwei tausendmal plus minus zwei"]),
        ("*100#, #hilfe", ["stern hundert raute hashtag hilfe"]),
        ("m. E. 7 % USt. u.v.m.", ["meines erachtens sieben prozent umsatzsteuer und vieles mehr"]),
        ("Di, 8. Dezember", ["dienstag achter dezember"]),
        ("8:30 oder 3:2", ["acht uhr dreißig oder drei zu zwei", "acht zu dreißig oder drei zu zwei"]),
        ("CHF 12.50", ["zwölf franken fünfzig", "zwölf franken und fünfzig rappen"]),
        ("die Vertragsnummer 2024/5571", ["die vertragsnummer zwei null zwei vier schrägstrich fünf fünf sieben eins"]),
        ("QW7-3KB", ["q w sieben drei k b"]),
        ("am 2. und 3. Mai", ["am zweiten und dritten mai"]),
        ("Platz C.", ["platz c"]),
        ("3x täglich", ["dreimal täglich"]),
        ("in den 80er Jahren", ["in den achtziger jahren"]),
        ("14-tägig", ["vierzehntägig"]),
        ("Ludwig XIV.", ["ludwig der vierzehnte"]),
        ("am 11.", ["am elften"]),
        ("5. OG", ["fünftes obergeschoss", "fünftes o g"]),
        ("2½ Stunden", ["zweieinhalb stunden"]),
        ("1 Woche und 1 Monat", ["eine woche und einen monat", "eine woche und ein monat"]),
        ("+49 30 23125-147", ["plus vier neun drei null zwei drei eins zwei fünf eins vier sieben"]),
        ("Ca. 20 Min., vsl. Mo, dem 30.11.", ["circa zwanzig minuten voraussichtlich montag dem dreißigsten elften"]),
        ("Sie haben 1 Versuch", ["sie haben einen versuch"]),
        ("in 1-2 Tagen, 7 Tage/Woche", ["in ein bis zwei tagen sieben tage pro woche"]),
        (">100 Gäste, ~50 Stühle", ["mehr als hundert gäste circa fünfzig stühle"]),
        ("VG-2026-118, App. 417", ["v g zwei null zwei sechs eins eins acht apparat vier eins sieben"]),
        ("101 €, 500 T€", ["hunderteins euro fünfhunderttausend euro", "hundertein euro fünfhunderttausend euro"]),
        ("vom 24.12. bis 2.1.", ["vom vierundzwanzigsten zwölften bis zweiten ersten"]),
        ("Am 31.10, gültig bis 08/28", ["am einunddreißigsten zehnten gültig bis null acht achtundzwanzig"]),
        ("mit der 2. Mahnung, Ihre 3. Anfrage", ["mit der zweiten mahnung ihre dritte anfrage"]),
        ("jeder 5. Kunde, in 2. Instanz", ["jeder fünfte kunde in zweiter instanz"]),
        ("5. Änderung, die 1.000. Bestellung", ["fünfte änderung die tausendste bestellung"]),
        ("Elisabeth II. kam", ["elisabeth die zweite kam"]),
        ("1/2 Stunde, 1/4 Stunde", ["eine halbe stunde eine viertel stunde"]),
        ("2 Std. 30 Min.", ["zwei stunden dreißig minuten", "zwei stunden und dreißig minuten"]),
        ("Dauer 1:30 h, 3:45 min", ["dauer eine stunde dreißig drei minuten fünfundvierzig"]),
        ("15:00-16:00 Uhr", ["fünfzehn uhr bis sechzehn uhr", "fünfzehn bis sechzehn uhr"]),
        ("Beginn 21:19. Sie führen 21:19.", ["beginn einundzwanzig uhr neunzehn sie führen einundzwanzig zu neunzehn"]),
        ('20x30 cm, 65" breit', ["zwanzig mal dreißig zentimeter fünfundsechzig zoll breit"]),
        (
            "1,80 m, 1 Gbit/s",
            ["eins komma acht null meter ein gigabit pro sekunde", "ein meter achtzig ein gigabit pro sekunde"],
        ),
        ("15./16. Mai, Do., 3.12.", ["fünfzehnter sechzehnter mai donnerstag dritter zwölfter"]),
        ("Ticket #4711, 0,5 h", ["ticket nummer vier sieben eins eins null komma fünf stunden"]),
        ("7,5 l/100 km", ["sieben komma fünf liter auf hundert kilometer"]),
        ("Art.-Nr. 5, am Bahnhofspl. 3", ["artikel nummer fünf am bahnhofsplatz drei"]),
        ("So. Und nun? So. geschlossen", ["so und nun sonntag geschlossen"]),
        ("Gleis 12 A-D, 16 A", ["gleis zwölf a d sechzehn ampere"]),
        (
            "Vorgang 12/345",
            ["vorgang zwölf schrägstrich dreihundertfünfundvierzig", "vorgang eins zwei drei vier fünf"],
        ),
        ("1 Kaffee und 1 Brötchen", ["einen kaffee und ein brötchen", "ein kaffee und ein brötchen"]),
        ("Er hat 1 Bruder, innerhalb 1 Woche", ["er hat einen bruder innerhalb einer woche"]),
        ("1 Feiertag für 1 Euro, mit 1 €", ["einen feiertag für einen euro mit einem euro"]),
        ("1 SEK, 2 DKK", ["eine krone zwei kronen", "eine schwedische krone zwei dänische kronen"]),
        ("101 Fragen", ["hunderteins fragen", "hundertein fragen", "hundertundein fragen"]),
        ("2 x täglich, 1 x, 2 x 3", ["zweimal täglich einmal zwei mal drei"]),
        ("112 Seiten. Wählen Sie 112.", ["hundertzwölf seiten wählen sie eins eins zwei"]),
        ("die 1-Zimmer-Wohnung am Formel-1-Kurs", ["die ein zimmer wohnung am formel eins kurs"]),
        ("B2B, Top-10-Liste", ["b zwei b top zehn liste", "b to b top zehn liste"]),
        ("1,5x, 2,5-fach, 3,5G", ["eins komma fünf mal zwei komma fünf fach drei komma fünf g"]),
        (
            "Schuljahr 2026/2027",
            [
                "schuljahr zweitausendsechsundzwanzig zweitausendsiebenundzwanzig",
                "schuljahr sechsundzwanzig siebenundzwanzig",
            ],
        ),
        ("gültig bis 07.2030", ["gültig bis juli zweitausenddreißig", "gültig bis null sieben zwanzigdreißig"]),
        ("in KW 3/2026", ["in kalenderwoche drei zweitausendsechsundzwanzig"]),
        ("Am Mo., 5.10.", ["am montag fünften zehnten", "am montag den fünften oktober"]),
        ("Freitag, 13.", ["freitag dreizehnter", "freitag der dreizehnte", "freitag den dreizehnten"]),
        ("KW 12/2027, eine 1-A-Lage", ["kalenderwoche zwölf zweitausendsiebenundzwanzig eine eins a lage"]),
        ("1-€-Stück, 1 Armbanduhr, ab 3 h Arbeit", ["ein euro stück eine armbanduhr ab drei stunden arbeit"]),
        ("vom 3. bis 5.", ["vom dritten bis fünften"]),
        ("seit dem 5.", ["seit dem fünften"]),
        ("Drücken Sie die 3.", ["drücken sie die drei"]),
        ("ins 4. Jahr aus 2. Hand, unser 10. Jubiläum", ["ins vierte jahr aus zweiter hand unser zehntes jubiläum"]),
        (
            "1/2 l Milch, 3/4 h",
            ["ein halber liter milch drei viertel stunde", "einen halben liter milch dreiviertel stunde"],
        ),
        ("1/4 Liter Sahne", ["ein viertel liter sahne", "einen viertel liter sahne"]),
        ("Fax -99, Nebenstelle 305", ["fax neunundneunzig nebenstelle drei null fünf"]),
        ("8:30-12:00 Uhr", ["acht uhr dreißig bis zwölf uhr", "acht dreißig bis zwölf uhr"]),
        (
            "4 min 30 s, bis 22 h",
            [
                "vier minuten dreißig sekunden bis zweiundzwanzig uhr",
                "vier minuten und dreißig sekunden bis zweiundzwanzig stunden",
            ],
        ),
        ("2 Pers., 3 EL Öl, km-Stand", ["zwei personen drei esslöffel öl kilometer stand"]),
        ("mein-shop24.de", ["mein minus shop vierundzwanzig punkt d e"]),
        ("Antworten Sie mit JA.", ["antworten sie mit ja"]),
        ("Obst + Gemüse", ["obst plus gemüse", "obst und gemüse"]),
        ("ICH HABE 3 HUNDE UND 2 KATZEN", ["ich habe drei hunde und zwei katzen"]),
    ],
)
def test_kinds(written: str, said: list[str]) -> None:
    lattice = german.verbalise(written, "set")
    assert [reading for reading in said if not covers(lattice, german.normalise(reading))] == []
    assert read(written) == german.normalise(said[0])


@given(st.text())
@settings(derandomize=True, max_examples=400, deadline=None)
def test_normalise_is_idempotent_and_verbalise_is_total(text: str) -> None:
    once = german.normalise(text)
    assert german.normalise(once) == once
    assert covers(german.verbalise(text, "set"), read(text), spaces=False)


NUMBER_WORDS = [
    "null", "eins", "ein", "zwei", "zwo", "fünf", "sechs", "zehn", "elf", "siebzehn", "zwanzig", "dreißig", "hundert",
    "tausend", "und", "einhundert", "fünfundzwanzig", "zweihundert", "dritte", "erste", "million", "euro",
]  # fmt: skip


@given(st.lists(st.sampled_from(NUMBER_WORDS), max_size=8))
@settings(derandomize=True, max_examples=600, deadline=None)
def test_joining_is_idempotent(said: list[str]) -> None:
    once = german.normalise(" ".join(said))
    assert german.normalise(once) == once


# fmt: off
WRITTEN = st.lists(st.sampled_from([
    "0", "1", "7", "12", "305", "2026", "$", "€", "%", ":", ".", ",", "-", "–", "/", "(", "#", "°", "'", "Uhr", "kg",
    "St.", "Dr.", "Jan.", "Mai", "A", "B7", "XIV.", "&", "am", "der", "bis", "Mio.", "Str.", "Euro", " ",
]))
# fmt: on


@given(WRITTEN, st.sampled_from(["", " "]))
@settings(derandomize=True, max_examples=600, deadline=None)
def test_best_is_in_set(parts: list[str], between: str) -> None:
    text = between.join(parts)
    assert covers(german.verbalise(text, "set"), read(text), spaces=False)
    assert not re.search("[0-9]", read(text))


def test_no_short_digit_string_becomes_another() -> None:
    """Without spaces, too: where words are joined or split, 810 is not said like 18."""
    said: dict[str, str] = {}
    for length in (1, 2, 3, 4):
        for number in range(10**length):
            digits = f"{number:0{length}}"
            for reading in readings(code(digits)):
                assert said.setdefault(reading.replace(" ", ""), digits) == digits, reading


@given(st.integers(min_value=0, max_value=10**15 - 1))
@settings(derandomize=True, max_examples=300, deadline=None)
def test_a_cardinal_split_into_its_words_is_the_same_cardinal(number: int) -> None:
    for word in words(number):
        split = re.sub(r"(hundert|tausend)(?=.)", r" \1 ", word).replace("und", " und ").replace("h und ert", "hundert")
        assert joined(split) == joined(word)


def test_numbers() -> None:
    assert words(101) == ["hunderteins", "einhunderteins", "hundertundeins", "einhundertundeins"]
    assert words(1284) == [
        "eintausendzweihundertvierundachtzig", "tausendzweihundertvierundachtzig", "zwölfhundertvierundachtzig",
    ]  # fmt: skip
    assert words(1_000_000) == ["eine million"]
    assert words(21_000) == ["einundzwanzigtausend"]
    assert readings(ordinal("7", "e")) == {"siebte", "siebente"}
    assert readings(ordinal("101", "en")) >= {"hundertersten", "einhundertersten"}
    assert "neunzehnhundert" in readings(year("1900"))
    assert "siebzehn" in cardinal("17")


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="expected is 'best' or 'set'"):
        german.verbalise("5", "all")


def test_signature_pins_the_lexicon() -> None:
    assert german.signature().startswith("de_norm:1.2.0|lexicon:")
