"""Every rule of `bench check`: a set with exactly that fault gives exactly that finding, on its line."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from bench import cli
from bench.check import RULES, Finding, check, table
from bench.fault import Fault
from bench.formats import newstts_rules

ROOT = Path(__file__).parents[1]
CANARY = "EARSHOT-CANARY-5b0c7a52-0d5e-4f0e-9c57-2f6a8e1d3b94"
FOREIGN = "OTHER-CANARY-5b0c7a52-0d5e-4f0e-9c57-2f6a8e1d3b94"
ROW: dict[str, Any] = {
    "id": "t-1",
    "difficulty": "D1",
    "wer_visible": "W",
    "robustness": False,
    "headline": True,
    "text": "Toplam 100'e ulaştı.",
    "text_spoken": "Toplam yüze ulaştı.",
    "ref_lattice": "toplam {yüze|bir yüze} ulaştı",
    "ref_canonical": "toplam yüze ulaştı",
    "n_words": 3,
    "n_chars": 20,
    "n_paths": 2,
    "length_bucket": "short",
    "alt_spans": [{"span": "yüze", "alts": ["bir yüze"], "type": "number"}],
    "source": "own-text",
    "license": "CC-BY-4.0",
    "canary": CANARY,
}
CASE: dict[str, Any] = {
    "case_id": "d-1",
    "input_text": "Es ist 3 Uhr.",
    "spoken_reference": "Es ist drei Uhr.",
    "language_tag": "de-DE",
    "license": "CC-BY-4.0",
    "canary": CANARY,
}
RECORD: dict[str, Any] = {
    "id": "z-1",
    "split": "dev",
    "source": "synthetic",
    "domain": "sports",
    "text": "主队以104-99获胜。",
    "targets": [
        {
            "target_id": "z-1_t1",
            "span": "104-99",
            "start": 3,
            "end": 9,
            "category": "sports_score",
            "group": "number",
            "positive_readings": ["一百零四比九十九", "104比99"],
            "negative_readings": ["一百零四到九十九"],
            "auto_evaluable": True,
        }
    ],
    "metadata": {"canary": CANARY},
}
MANY = {  # 512 paths
    "ref_lattice": f"toplam {{yüze|bir yüze}} {' '.join(['{kez|kere}'] * 8)} ulaştı",
    "text_spoken": f"Toplam yüze {' '.join(['kez'] * 8)} ulaştı.",
    "ref_canonical": None,
    "n_words": 11,
    "n_paths": 512,
    "length_bucket": "medium",
}


def write(path: Path, *rows: dict[str, Any] | str) -> Path:
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def faulty(tmp_path: Path, base: dict[str, Any], change: dict[str, Any]) -> tuple[Finding, ...]:
    """The findings of a set whose second row, on the third line, is changed."""
    key = "case_id" if "case_id" in base else "id"
    good = base | {key: "good"}
    if "targets" in base:
        good["targets"] = [base["targets"][0] | {"target_id": "good_t1"}]
    return check(write(tmp_path / "set.jsonl", good, "", base | change))


@pytest.mark.parametrize(
    ("rule", "change"),
    [
        ("field", {"text": None}),
        ("field", {"text_spoken": 5}),
        ("field", {"alt_spans": "yüze"}),
        ("field", {"subsets": [1]}),
        ("language-tag", {"language_tag": "turkish"}),
        ("licence", {"license": ""}),
        ("canary", {"canary": None}),
        ("canary", {"canary": FOREIGN}),
        ("spoken-digit", {"alt_spans": [{"span": "yüze", "alts": ["100e"]}]}),
        ("spoken-digit", {"text_spoken": "Toplam 100e ulaştı.", "ref_lattice": "toplam 100e ulaştı", "n_paths": 1,
                          "ref_canonical": "toplam 100e ulaştı", "alt_spans": []}),
        ("lattice", {"ref_lattice": "toplam {yüze|bir yüze ulaştı"}),
        ("canonical", {"ref_lattice": "toplam {bir yüze|yüze} ulaştı", "n_words": 4, "ref_canonical": None}),
        ("canonical", {"ref_canonical": "toplam bir yüze ulaştı"}),
        ("spoken-span", {"alt_spans": [{"span": "iki yüze", "alts": [], "type": "number"}]}),
        ("span-type", {"alt_spans": [{"span": "yüze", "alts": [], "type": "quantity"}]}),
        ("paths", MANY),
        ("count", {"n_words": 4}),
        ("count", {"n_chars": 21}),
        ("count", {"n_paths": True}),
        ("bucket", {"length_bucket": "medium"}),
        ("headline", {"headline": False}),
        ("headline", {"difficulty": "D4"}),
        ("headline", {"wer_visible": "N"}),
        ("headline", {"robustness": True}),
        ("field", {"robustness": "no"}),
        ("field", {"headline": "true"}),
        ("harmony", {"text": "Toplam 100'a ulaştı."}),
        ("harmony", {"text": "Ankara'ye geldi iş", "n_chars": 18}),
    ],
)  # fmt: skip
def test_a_turkish_row_with_one_fault(tmp_path: Path, rule: str, change: dict[str, Any]) -> None:
    (finding,) = faulty(tmp_path, ROW, change)
    assert (finding.severity, finding.line, finding.id, finding.rule) == ("error", 3, "t-1", rule)
    assert finding.sentence.endswith(".")


def test_a_good_row_has_no_finding(tmp_path: Path) -> None:
    assert faulty(tmp_path, ROW, {}) == faulty(tmp_path, CASE, {}) == faulty(tmp_path, RECORD, {}) == ()


@pytest.mark.parametrize(
    ("tag", "said"),
    [
        ("de-BY", "Belarus, not Bavaria"),
        ("de-SN", "Senegal, not Saxony"),
        ("nds-NI", "Nicaragua, not Lower Saxony"),
        ("de-HH", "HH, Hamburg, is none"),
        ("deutsch", "not valid"),
        ("", "not valid"),
    ],
)
def test_a_german_tag_that_names_a_country_for_a_land(tmp_path: Path, tag: str, said: str) -> None:
    # The row's other fault is named all the same.
    first, second = faulty(tmp_path, CASE, {"language_tag": tag, "spoken_reference": "Es ist 3 Uhr."})
    assert (first.rule, first.line, first.id) == ("language-tag", 3, "d-1")
    assert said in first.sentence
    assert second.rule == "spoken-digit"


@pytest.mark.parametrize("tag", ["de-DE", "de-AT", "de-CH", "gsw-CH", "nds-DE", "bar-AT", "de-BE"])
def test_a_german_tag_that_says_what_it_means(tmp_path: Path, tag: str) -> None:
    assert faulty(tmp_path, CASE, {"language_tag": tag}) == ()


@pytest.mark.parametrize(
    ("rule", "change"),
    [
        ("offset", {"start": 2}),
        ("span", {"span": "104-98", "start": None, "end": None}),
        ("no-positive", {"positive_readings": []}),
        ("overlap", {"negative_readings": ["一百零四比九十九"]}),
        ("evaluable-type", {"auto_evaluable": "false"}),
        ("target-value", {"category": "score"}),
        ("reading", {"negative_readings": [" "]}),
    ],
)
def test_a_target_with_one_fault(tmp_path: Path, rule: str, change: dict[str, Any]) -> None:
    target = {key: value for key, value in (RECORD["targets"][0] | change).items() if value is not None}
    (finding,) = faulty(tmp_path, RECORD, {"targets": [target]})
    assert (finding.severity, finding.line, finding.id, finding.rule) == ("error", 3, "z-1_t1", rule)


def test_digits_in_a_target_reading_are_no_fault_but_in_a_spoken_form_they_are(tmp_path: Path) -> None:
    assert "104比99" in RECORD["targets"][0]["positive_readings"]
    (finding,) = faulty(tmp_path, RECORD, {"metadata": {"canary": CANARY, "text_spoken": "主队以104比99获胜。"}})
    assert (finding.rule, finding.line, finding.id) == ("spoken-digit", 3, "z-1")


def test_what_is_stated_in_the_metadata_of_a_record_is_checked(tmp_path: Path) -> None:
    own = {
        "canary": CANARY,
        "text_spoken": "主队以一百零四比九十九获胜。",
        "ref_lattice": "主 队 以 一 百 零 四 比 九 十 九 获 胜",
        "n_paths": 2,
    }
    (finding,) = faulty(tmp_path, RECORD, {"metadata": own})
    assert (finding.rule, finding.sentence) == ("count", "n_paths is 2; the paths of the lattice are 1.")


def test_a_record_whose_metadata_cannot_be_read_is_named(tmp_path: Path) -> None:
    (finding,) = faulty(tmp_path, RECORD, {"metadata": {"canary": CANARY, "alt_spans": [{"alts": []}]}})
    assert (finding.rule, finding.line, finding.id) == ("field", 3, "z-1")


def test_every_fault_is_named_before_it_stops(tmp_path: Path) -> None:
    path = write(
        tmp_path / "set.jsonl",
        "{",
        ROW,
        ROW | {"n_words": 9, "n_chars": 9},
        "[1]",
        {"id": "t-2", "license": "CC-BY-4.0"},
        ROW | {"id": "t-3", "headline": False},
    )
    assert [(finding.line, finding.id, finding.rule) for finding in check(path)] == [
        (1, "", "json"),
        (3, "t-1", "duplicate-id"),
        (3, "t-1", "count"),
        (3, "t-1", "count"),
        (4, "", "json"),
        (5, "t-2", "field"),
        (6, "t-3", "headline"),
    ]


def test_a_faulty_first_row_does_not_hide_the_others(tmp_path: Path) -> None:
    first = {key: value for key, value in ROW.items() if key != "text"}
    path = write(tmp_path / "set.jsonl", first, ROW | {"id": "t-2", "n_words": 9})
    assert [(f.line, f.id, f.rule) for f in check(path)] == [(1, "t-1", "field"), (2, "t-2", "count")]


def test_a_publisher_may_have_meant_it(tmp_path: Path) -> None:
    row = ROW | MANY | {"license": None, "canary": None}
    path = write(tmp_path / "set.jsonl", row, row | {"id": "t-2"})
    found = check(path)
    assert {finding.severity for finding in found} == {"warning"}
    rules = [(finding.line, finding.rule) for finding in found]
    assert rules == [(1, "paths"), (1, "licence"), (1, "no-canary"), (2, "paths")]
    assert {finding.severity for finding in check(path, own=True)} == {"error"}


def test_a_canary_that_is_none(tmp_path: Path) -> None:
    for canary in ("EARSHOT-CANARY-1", "EARSHOT-5b0c7a52-0d5e-4f0e-9c57-2f6a8e1d3b94", CANARY.upper()):
        row = ROW | {"canary": canary}
        (finding,) = check(write(tmp_path / "set.jsonl", row, row | {"id": "t-2"}))
        assert (finding.rule, finding.line, finding.id) == ("canary", 1, "t-1")


@pytest.mark.parametrize(
    ("text", "lattice"),
    [
        ("Saat 14:00'te", "saat on dörtte"),
        ("4'ü", "dördü"),
        ("4'de", "dörtte"),  # a consonant, not a vowel
        ("€3'lük", "{üç avroluk|üç euroluk}"),  # by the digit that is seen
        ("%20'si", "yüzde yirmisi"),
        ("1.250.000 TL'ye", "bir milyon iki yüz elli bin {te leye|liraya|türk lirasına}"),
        ("5 kg'lık", "beş {kiloluk|kilogramlık}"),
        ("SGK'ya, SGK'ye", "se ge {kaya|keye} se ge {kaya|keye}"),
        ("Kemal'e Google'ın Skype'tan", "kemale googleın skypetan"),  # not judged
        ("(15.03.2026'da)", "on beş mart iki bin yirmi altıda"),
    ],
)
def test_a_suffix_that_fits(tmp_path: Path, text: str, lattice: str) -> None:
    spoken = re.sub(r"\{([^|}]*)[^}]*\}", r"\1", lattice)
    row = {"id": "t-1", "text": text, "text_spoken": spoken, "ref_lattice": lattice}
    assert [f for f in check(write(tmp_path / "set.jsonl", row)) if f.rule not in ("licence", "no-canary")] == []


@pytest.mark.parametrize(
    ("text", "lattice"),
    [
        ("Saat 14:00'ta", "saat on dörtte"),
        ("4'ı", "dördü"),
        ("€3'lik", "{üç avroluk|üç euroluk}"),
        ("%20'sı", "yüzde yirmisi"),
        ("5 kg'lik", "beş {kiloluk|kilogramlık}"),
        ("SGK'yu", "se ge {kaya|keye}"),
        ("PTT'ya", "pe te teye"),
        ("(15.03.2026'de)", "on beş mart iki bin yirmi altıda"),
    ],
)
def test_a_suffix_that_fits_no_reading(tmp_path: Path, text: str, lattice: str) -> None:
    spoken = re.sub(r"\{([^|}]*)[^}]*\}", r"\1", lattice)
    row = {"id": "t-1", "text": text, "text_spoken": spoken, "ref_lattice": lattice}
    path = write(tmp_path / "set.jsonl", row)
    assert [f.rule for f in check(path) if f.rule not in ("licence", "no-canary")] == ["harmony"]
    write(path, row | {"robustness": True})
    assert "harmony" not in {f.rule for f in check(path)}


def test_a_set_in_csv_has_the_lines_of_its_file(tmp_path: Path) -> None:
    path = tmp_path / "set.csv"
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(ROW)
        for row in (ROW, ROW | {"id": "t-2", "n_chars": 9}, ROW | {"id": "t-3"}):
            writer.writerow([json.dumps(v) if isinstance(v, list) else v for v in row.values()])
        writer.writerow(["t-4"])
    assert [(f.line, f.id, f.rule) for f in check(path)] == [(3, "t-2", "count"), (5, "", "json")]


def test_a_mapped_table_is_checked_too(tmp_path: Path) -> None:
    path = tmp_path / "set.csv"
    path.write_text("key,sentence,said\n7,It is 3.,It is 3.\n7,Fine.,Fine.\n")
    mapping = {"id": "key", "text": "sentence", "spoken": "said"}
    found = [f for f in check(path, mapping=mapping, language="en") if f.severity == "error"]
    assert [(f.line, f.id, f.rule) for f in found] == [(2, "7", "spoken-digit"), (3, "7", "duplicate-id")]


def test_what_is_no_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Fault, match="no such text set"):
        check(tmp_path / "none.jsonl")
    with pytest.raises(Fault, match=r"ends in \.jsonl"):
        check(write(tmp_path / "set.txt", ROW))
    with pytest.raises(Fault, match="not a parquet file"):
        check(write(tmp_path / "set.parquet", ROW))
    assert [f.rule for f in check(write(tmp_path / "empty.jsonl", ""))] == ["layout"]
    assert [f.rule for f in check(write(tmp_path / "bad.jsonl", "{"))] == ["json"]
    (finding,) = check(write(tmp_path / "odd.jsonl", {"name": "x"}))
    assert (finding.rule, finding.line) == ("layout", 1)


@pytest.mark.parametrize("path", sorted((ROOT / "data").glob("*.jsonl")), ids=lambda path: path.stem)
def test_our_own_sets_have_no_error(path: Path) -> None:
    assert [str(finding) for finding in check(path, own=True) if finding.severity == "error"] == []


def test_the_public_mandarin_sets_have_no_error(shared: Path) -> None:
    for name in ("dev", "test_public"):
        path = shared / f"data/cn-newstts/dataset/{name}.jsonl"
        assert {f.rule for f in check(path) if f.severity == "error"} == set()


def test_the_command_ends_with_one_for_errors_alone(tmp_path: Path) -> None:
    path = write(tmp_path / "set.jsonl", ROW | {"n_words": 9})
    result = CliRunner().invoke(cli.app, ["check", str(path)])
    assert result.exit_code == 1
    assert "line 1, t-1: error: n_words is 9; the words of the canonical reading are 3. [count]" in result.output
    assert "errors: 1, warnings: 0" in result.output
    write(path, ROW | {"canary": None})
    result = CliRunner().invoke(cli.app, ["check", str(path)])
    assert (result.exit_code, "warning: No row has a canary" in result.output) == (0, True)
    assert CliRunner().invoke(cli.app, ["check", "--own", str(path)]).exit_code == 1


def test_a_line_of_a_set_cannot_command_the_terminal(tmp_path: Path) -> None:
    path = write(tmp_path / "set.jsonl", ROW | {"id": "[red]\x1b[2J", "n_words": 9})
    output = CliRunner().invoke(cli.app, ["check", str(path)]).output
    assert "\x1b" not in output
    assert "[red]" in output


def test_the_rules_are_one_table_for_the_command_and_the_page() -> None:
    page = (ROOT / "docs" / "text-sets.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([^`]+)` \| (\w+) \| (\w+) \| (.+) \|$", page, re.MULTILINE)
    assert rows == list(table().itertuples(index=False, name=None))
    assert set(RULES) >= set(newstts_rules.RULES)
    output = CliRunner().invoke(cli.app, ["check", "--rules"]).output
    assert all(rule in output for rule in RULES)


def test_a_flag_in_csv_is_judged_by_what_it_means(tmp_path: Path) -> None:
    path = tmp_path / "set.csv"
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(ROW)
        for flags in (
            {"robustness": "no", "headline": "YES"},
            {"id": "t-2", "headline": "0"},
            {"id": "t-3", "headline": "?"},
        ):
            writer.writerow([json.dumps(v) if isinstance(v, list) else v for v in (ROW | flags).values()])
    assert [(f.line, f.id, f.rule) for f in check(path)] == [(3, "t-2", "headline"), (4, "t-3", "field")]


def test_a_flag_that_a_layout_has_no_place_for_is_judged_too(tmp_path: Path) -> None:
    row = {"utterance_id": "e-1", "text": "Call now.", "category": "digits", "license": "MIT", "canary": CANARY}
    path = write(tmp_path / "set.jsonl", row | {"difficulty": "D1", "headline": True, "robustness": "no"})
    assert "robustness is 'no'; expected true or false." in [f.sentence for f in check(path)]
