"""The layouts of CN-NewsTTS Bench: dataset, transcripts, submissions, checksums, and the findings about a dataset."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
import soundfile
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench import formats
from bench.audio import clip
from bench.fault import Fault
from bench.formats import newstts, submission, transcripts
from bench.formats.newstts_rules import ERRORS, RULES, validate
from bench.formats.submission import Card, problems
from bench.release import newstts as release
from bench.release.submission import export
from bench.segment import Span

GOLDEN = Path(__file__).parent / "golden" / "targets"
OWN = Path(__file__).parents[1] / "data" / "zh.jsonl"
Row = dict[str, Any]


def record(**changes: Any) -> Row:
    """A record without findings: a score, and a model whose readings have nothing to do with it."""
    return {
        "id": "dev_000001",
        "split": "dev",
        "source": "synthetic",
        "domain": "sports",
        "text": "主队2-1取胜，苏-27飞过。",
        "targets": [
            {
                "target_id": "dev_000001_t1",
                "span": "2-1",
                "start": 2,
                "end": 5,
                "category": "sports_score",
                "group": "number",
                "positive_readings": ["二比一", "两比一"],
                "negative_readings": ["二到一"],
                "auto_evaluable": True,
                "rationale": "比分读比。",
            },
            {
                "target_id": "dev_000001_t2",
                "span": "苏-27",
                "category": "military_model",
                "positive_readings": ["苏二十七"],
                "negative_readings": ["苏负二十七"],
            },
        ],
        "metadata": {"template_id": "x"},
        **changes,
    }


def dataset(folder: Path, *rows: Row | str) -> Path:
    path = folder / "dataset.jsonl"
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


# --------------------------------------------------------------------------------------------------------- dataset


def test_a_record_becomes_a_segment_and_loses_nothing(tmp_path: Path) -> None:
    text_set = formats.read(dataset(tmp_path, "", record(more=1)))
    (segment,) = text_set.segments
    assert (text_set.layout, text_set.name, len(text_set.sha256)) == ("newstts", "dataset", 64)
    assert (segment.id, segment.language, segment.source) == ("dev_000001", "zh-Hans-CN", "synthetic")
    assert segment.subsets == ("dev",)
    assert segment.strata == {"domain": "sports", "category": "sports_score", "group": "number"}
    assert segment.cluster == "2-1 + 苏-27"
    assert segment.extra == {
        "metadata": {"template_id": "x"},
        "more": 1,
        "targets": {"dev_000001_t1": {"rationale": "比分读比。"}},
    }
    score, model = segment.targets
    assert score.positive == ("二比一", "两比一")
    assert (model.group, model.auto_evaluable) == ("other", True)
    assert segment.text[model.start : model.end] == model.span


def test_what_may_be_left_out_has_the_scorers_defaults(tmp_path: Path) -> None:
    bare = {"id": "x", "text": "2-1", "targets": [{"positive_readings": ["二比一"], "negative_readings": []}]}
    (target,) = formats.read(dataset(tmp_path, bare)).segments[0].targets
    assert (target.id, target.span, target.category, target.group) == ("x_t1", "", "", "other")


@pytest.mark.parametrize(("flag", "judged"), [("false", True), (0, False), (None, False), (1, True)])
def test_auto_evaluable_is_whatever_is_truthy(tmp_path: Path, flag: object, judged: bool) -> None:
    row = record()
    row["targets"][0]["auto_evaluable"] = flag
    assert formats.read(dataset(tmp_path, row)).segments[0].targets[0].auto_evaluable is judged


def without(key: str) -> Row:
    return {name: value for name, value in record().items() if name != key}


def changed(key: str, value: object, target: int = 0, readings: list[str] | None = None) -> Row:
    row = record()
    if readings is not None:
        row["targets"][target]["positive_readings"] = readings
    if value is KeyError:
        del row["targets"][target][key]
    else:
        row["targets"][target][key] = value
    return row


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("{oops", "This line is not JSON"),
        ("7", "This line holds a JSON int; expected an object"),
        ('{"id": "\\ud800"}', "This line is not JSON ('utf-8' codec can't encode"),
        ("[" * 100_000, "This line is not JSON (maximum recursion depth exceeded"),
        (without("id"), "The field 'id' is missing; newstts rows have it"),
        (record(id=3), "The key 'id' holds a number"),
        (record(text=" "), "Record dev_000001: the key 'text'"),
        (record(targets=[]), "Record dev_000001: the key 'targets'"),
        (record(targets=["2-1"]), "Record dev_000001: the key 'targets'"),
        (changed("positive_readings", KeyError), "Target dev_000001_t1: the key 'positive_readings' holds None"),
        (changed("negative_readings", "二到一"), "Target dev_000001_t1: the key 'negative_readings'"),
        (changed("start", "2"), "Target dev_000001_t1: 'start' and 'end'"),
        (record(), "The id 'dev_000001' stands on line 1 already"),
    ],
)
def test_an_unreadable_record_names_file_line_and_id(tmp_path: Path, row: Row | str, message: str) -> None:
    with pytest.raises(Fault) as fault:
        formats.read(dataset(tmp_path, record(), row))
    assert str(fault.value).startswith(f"{tmp_path / 'dataset.jsonl'}, line 2: ")
    assert message in str(fault.value)


def test_a_file_that_is_not_there_empty_or_not_utf8_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(Fault, match="no such text set"):
        formats.read(tmp_path / "none.jsonl")
    with pytest.raises(Fault, match="is empty"):
        formats.read(dataset(tmp_path, "", "  "))
    (tmp_path / "gbk.jsonl").write_bytes("比分".encode("gbk"))
    with pytest.raises(Fault, match=r"line 1: This line is not JSON .*utf-8"):
        formats.read(tmp_path / "gbk.jsonl")


@pytest.mark.parametrize(
    ("layout", "data", "merged"),
    [
        ("current", "data/canonical", "artifacts/asr_merged/public_test"),
        ("legacy", "data", "results/asr_results/public_test"),
    ],
)
def test_both_folder_layouts_are_known(tmp_path: Path, layout: str, data: str, merged: str) -> None:
    (tmp_path / data).mkdir(parents=True)
    (tmp_path / data / "test_public.jsonl").write_bytes((GOLDEN / "dataset.jsonl").read_bytes())
    (tmp_path / merged).mkdir(parents=True)
    for path in (GOLDEN / "merged").iterdir():
        (tmp_path / merged / path.name).write_bytes(path.read_bytes())
    places = newstts.places(tmp_path)
    assert (places.layout, places.merged) == (layout, tmp_path / merged)
    assert len(release.gather(tmp_path, merged=places.merged)) == 2
    with pytest.raises(Fault, match="asr_transcripts"):
        release.gather(tmp_path)  # the release's own one-route transcripts are the default, and are not there


def test_a_folder_that_is_no_release_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(Fault, match="not a release"):
        newstts.places(tmp_path)


def test_the_published_sets_have_their_published_sizes(shared: Path) -> None:
    for name, sizes in (("dev", (200, 252, 248)), ("test_public", (800, 1008, 992))):
        text_set = formats.read(shared / f"data/cn-newstts/dataset/{name}.jsonl")
        targets = [(segment, target) for segment in text_set.segments for target in segment.targets]
        assert (len(text_set), len(targets), sum(target.auto_evaluable for _, target in targets)) == sizes
        assert all(segment.text[target.start : target.end] == target.span for segment, target in targets)


def test_the_own_mandarin_set_is_a_dataset_without_findings() -> None:
    """What Earshot adds stands in the free metadata, so that the published validator and schema take the file."""
    assert validate(OWN) == ()


def test_metadata_of_the_own_set_fills_the_segment(tmp_path: Path) -> None:
    own = {
        "language_tag": "zh-Hans-TW",
        "text_spoken": "主队二比一取胜，苏二十七飞过。",
        "ref_lattice": "主 队 {二 比 一|两 比 一} 取 胜 苏 二 十 七 飞 过",
        "alt_spans": [{"span": "二比一", "alts": ["两比一"], "type": "number"}],
        "subsets": ["ci_smoke"],
        "canary": "C",
        "license": "CC0-1.0",
    }
    (segment,) = formats.read(dataset(tmp_path, record(metadata={**own, "topic": "weather"}))).segments
    assert (segment.language, segment.canary, segment.licence) == ("zh-Hans-TW", "C", "CC0-1.0")
    assert (segment.spoken, segment.lattice) == (own["text_spoken"], own["ref_lattice"])
    assert segment.spans == (Span("二比一", ("两比一",), "number"),)
    assert segment.subsets == ("dev", "ci_smoke")
    assert segment.extra["metadata"] == {"topic": "weather"}
    (bare,) = formats.read(dataset(tmp_path, record(metadata=own))).segments
    assert "metadata" not in bare.extra


# -------------------------------------------------------------------------------------------------------- findings


CASES: list[tuple[str, Row | str]] = [
    ("json", "{oops"),
    ("json", "[]"),
    ("record-key", without("domain")),
    ("record-value", record(split="train")),
    ("record-value", record(domain="weather")),
    ("record-value", record(text=" ", targets=[])),
    ("targets", record(targets=[])),
    ("targets", record(targets=[1])),
    ("target-key", changed("category", KeyError)),
    ("duplicate-id", changed("target_id", "dev_000001_t2")),
    ("span", changed("span", "3-1", 1)),
    ("target-value", changed("category", "weather")),
    ("target-value", changed("group", "weather")),
    ("reading", changed("positive_readings", ["二比一", " "])),
    ("reading", changed("negative_readings", "二到一")),
    ("polyphone-evaluable", changed("category", "optional_homograph_polyphone")),
    ("overlap", changed("negative_readings", ["二 比 一"])),
    ("overlap", changed("negative_readings", ["比一"])),
    ("no-positive", changed("positive_readings", [])),
    ("offset", changed("end", 6)),
    ("offset", changed("start", True)),
    ("identity", record(id="Dev 1")),
    ("identity", changed("target_id", "T1")),
    ("unknown-key", record(note="")),
    ("unknown-key", changed("note", "")),
    ("evaluable-type", changed("auto_evaluable", "false")),
    ("type", changed("rationale", 1)),
    ("type", record(metadata=[])),
    ("folded-overlap", changed("negative_readings", ["苏二十Ｂ"], readings=["苏二十B"])),
    ("short-negative", changed("negative_readings", ["比"])),
    ("empty-reading", changed("negative_readings", ["。"])),
    ("sibling", changed("positive_readings", ["苏二十七二比一"], 1)),
    ("sibling", changed("positive_readings", ["苏二到一"], 1)),
]


@pytest.mark.parametrize(("rule", "row"), CASES)
def test_every_rule_finds_its_fault_and_nothing_else(tmp_path: Path, rule: str, row: Row | str) -> None:
    found = validate(dataset(tmp_path, "", row))
    allowed = {rule} | ({"targets"} if row == record(text=" ", targets=[]) else set())
    assert {finding.rule for finding in found} == allowed
    assert {finding.line for finding in found} == {2}
    assert {finding.severity for finding in found} == {"error" if rule in ERRORS else "warning"}
    assert f"[{rule}]" in "".join(map(str, found))


def test_every_rule_has_a_case_and_a_clean_record_no_finding(tmp_path: Path) -> None:
    assert {rule for rule, _ in CASES} == set(RULES)
    assert validate(dataset(tmp_path, record())) == ()
    assert validate(GOLDEN / "dataset.jsonl") == ()


@pytest.fixture(scope="module")
def schema(shared: Path) -> Any:
    return jsonschema.Draft202012Validator(json.loads((shared / "data/cn-newstts/dataset/schema.json").read_text()))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 9) | st.sampled_from(["", " ", "2-1", "二比一", "dev", "。", "比"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["span", "x"]), inner, max_size=1),
    max_leaves=4,
)


@st.composite
def spoilt(draw: st.DrawFn) -> Row:
    """The clean record with up to three keys, of it or of its first target, dropped or set to something."""
    row = record()
    for _ in range(draw(st.integers(0, 3))):
        holder = draw(st.sampled_from([row, *(one for one in row.get("targets") or [] if isinstance(one, dict))][:2]))
        key = draw(st.sampled_from([*sorted(holder), "more"]))
        if draw(st.booleans()):
            holder[key] = draw(json_values)
        else:
            holder.pop(key, None)
        if not isinstance(row.get("targets"), list):
            break
    return row


@settings(
    derandomize=True, max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(spoilt())
def test_whatever_the_schema_refuses_is_found_and_nothing_else_fails(schema: Any, tmp_path: Path, row: Row) -> None:
    path = dataset(tmp_path, row)
    found = validate(path)
    if not schema.is_valid(row):
        assert found
    try:
        formats.read(path)
    except Fault:
        assert found


def test_a_record_twice_is_a_finding(tmp_path: Path) -> None:
    found = validate(dataset(tmp_path, record(), record()))
    assert [(finding.rule, finding.line) for finding in found] == [("duplicate-id", 2)] * 3


def test_a_positive_inside_a_negative_is_allowed(tmp_path: Path) -> None:
    assert validate(dataset(tmp_path, changed("negative_readings", ["不是二比一"]))) == ()


def test_the_published_sets_have_one_warning(shared: Path) -> None:
    data = shared / "data/cn-newstts/dataset"
    assert validate(data / "dev.jsonl") == ()
    (finding,) = validate(data / "test_public.jsonl")
    assert (finding.rule, finding.line, finding.id) == ("sibling", 557, "test_000557_t2")
    assert finding.severity == "warning"


# ----------------------------------------------------------------------------------------------------- transcripts


def row(**changes: Any) -> str:
    whole = {"id": "own_001", "tts_provider": "alpha", "asr_id": "a", "text": "歼二十", "status": "ok"}
    return json.dumps(whole | changes, ensure_ascii=False)


def test_merged_transcripts_come_out_byte_for_byte(shared: Path, tmp_path: Path, monkeypatch: Any) -> None:
    data = shared / "data/cn-newstts"
    monkeypatch.chdir(tmp_path)
    out = Path("artifacts/asr_merged/public_test")
    release.merge_routes(data / "dataset/test_public.jsonl", data / "transcripts", out)
    names = sorted(path.name for path in (data / "merged").iterdir())
    assert sorted(path.name for path in out.iterdir()) == names
    assert len(names) == 8
    for name in names:
        assert (out / name).read_bytes() == (data / "merged" / name).read_bytes()


def test_only_ok_rows_count_and_later_ones_replace_earlier(tmp_path: Path) -> None:
    rows = [
        row(),
        row(text="歼二零"),
        row(asr_id="b", text=None, status=""),
        row(id="own_002", status="error", text="x"),
        row(id="own_003", asr_id="b", status="empty", text=""),
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(rows), encoding="utf-8")
    journal = transcripts.read_routes(tmp_path)
    assert journal.heard == {"alpha": {"own_001": {"a": "歼二零", "b": ""}}}
    assert journal.status == {"ok": 3, "error": 1, "empty": 1}
    order = ["own_002", "own_001", "own_003"]
    assert transcripts.merge(journal.heard["alpha"], order) == '{"id": "own_001", "asr": {"a": "歼二零", "b": ""}}\n'
    summary = transcripts.merge_summary(journal, order, "out")["providers"]["alpha"]
    assert summary == {
        "output": "out/alpha.asr.jsonl",
        "rows": 1,
        "missing": 2,
        "insufficient_asr": 1,
        "first_missing": ["own_002", "own_003"],
        "first_insufficient": ["own_001"],
    }


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("oops", r"a\.jsonl, line 2: The line is not JSON"),
        (row(tts_provider=""), r"a\.jsonl, line 2: The key 'tts_provider'"),
        (row(tts_provider="../up"), r"a\.jsonl, line 2: The system '\.\./up' cannot name a file"),
        (row(asr_id=None), r"line 2: The key 'asr_id' holds null"),
        (row(text={}), r"line 2: Segment own_001: the key 'text' holds an object"),
    ],
)
def test_a_bad_row_of_a_route_names_file_and_line(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "a.jsonl").write_text(f"{row()}\n{line}\n", encoding="utf-8")
    with pytest.raises(Fault, match=message):
        transcripts.read_routes(tmp_path)


def test_a_folder_without_transcripts_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(Fault, match=r"no file named \*\.asr\.jsonl"):
        transcripts.read_merged(tmp_path)
    with pytest.raises(Fault, match="not a folder"):
        transcripts.read_routes(tmp_path / "none")
    (tmp_path / "a.jsonl").write_text(row(status="error"), encoding="utf-8")
    with pytest.raises(Fault, match="No row"):
        transcripts.read_routes(tmp_path)


# ----------------------------------------------------------------------------------------------------- submissions


CARD = Card("alpha", "Alpha 1", "Own", details={"voice": "one", "sample_rate": 24000})
IDS = ["own_002", "own_001", "own_003", "own_004"]


def spoken(ids: list[str], rate: int = 16_000) -> list[tuple[str, Any, dict[str, str]]]:
    tone = clip(0.1 * np.sin(np.arange(rate) / 20), rate)
    heard = transcripts.read_system(GOLDEN / "merged/alpha.asr.jsonl")
    return [(identity, tone, heard.get(identity, {})) for identity in ids]


def test_an_export_is_a_submission_that_the_rules_take(tmp_path: Path) -> None:
    text_set = formats.read(GOLDEN / "dataset.jsonl")
    out = tmp_path / "alpha"
    export(out, iter(spoken(IDS[::-1])), CARD, dataset=text_set)
    assert problems(out, IDS) == ()
    made = submission.read(out)
    assert made.card == CARD
    assert [item.id for item in made.items] == IDS
    assert json.loads((out / "system_card.json").read_text())["raw_model_track"] is True
    for item in made.items:
        info = soundfile.info(out / str(item.audio_path))
        assert (info.samplerate, info.channels, info.subtype, info.frames) == (24_000, 1, "PCM_16", 24_000)
    # The transcripts that travel with it score as those that it was made from.
    (again,) = release.board(GOLDEN / "dataset.jsonl", merged=out)
    assert again.counts == release.board(GOLDEN / "dataset.jsonl", merged=GOLDEN / "merged")[0].counts
    first = {path: path.read_bytes() for path in out.rglob("*.*")}
    export(out, spoken(IDS), CARD, dataset=text_set)
    assert {path: path.read_bytes() for path in out.rglob("*.*")} == first


@pytest.mark.parametrize(
    ("ids", "card", "message"),
    [
        (IDS, Card("alpha", "Alpha", "Own", ssml=True), "the text was changed before"),
        (IDS, Card("a/b", "Alpha", "Own"), "cannot name a file"),
        ([*IDS, "own_009"], CARD, "Segment own_009 is not in the dataset"),
        ([*IDS, "own_001"], CARD, "Segment own_001 stands twice"),
        (IDS[:2], CARD, "2 records of the dataset have no item, the first own_003, own_004"),
    ],
)
def test_an_export_that_would_be_refused_leaves_nothing(
    tmp_path: Path, ids: list[str], card: Card, message: str
) -> None:
    with pytest.raises(Fault, match=message):
        export(tmp_path / "alpha", spoken(ids), card, dataset=formats.read(GOLDEN / "dataset.jsonl"))
    assert list(tmp_path.iterdir()) == []


def edit(file: str, change: Callable[[Row], object]) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        document = json.loads((folder / file).read_text(encoding="utf-8"))
        change(document)
        (folder / file).write_text(json.dumps(document), encoding="utf-8")

    return apply


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda folder: (folder / "manifest.json").unlink(), "manifest.json: The file is missing"),
        (
            lambda folder: (folder / "system_card.json").write_text("{"),
            "system_card.json, line 1: The file is not JSON",
        ),
        (edit("system_card.json", lambda card: card.pop("organization")), "The key 'organization' is missing"),
        (edit("system_card.json", lambda card: card.update(raw_model_track=1)), "exactly true"),
        (
            edit("system_card.json", lambda card: card.update(ssml=None)),
            "ssml is null; the raw track needs exactly false",
        ),
        (edit("system_card.json", lambda card: card.update(model_id="beta")), "the card's 'beta'"),
        (edit("manifest.json", lambda m: m.update(items=[])), "items is a list"),
        (edit("manifest.json", lambda m: m["items"].append({"id": "own_009", "audio_url": "u"})), "no record own_009"),
        (edit("manifest.json", lambda m: m["items"].append(m["items"][0])), "Item own_002 stands twice"),
        (edit("manifest.json", lambda m: m["items"].pop()), "1 records of the dataset have no item, the first own_004"),
        (edit("manifest.json", lambda m: m["items"][0].update(audio_url="u")), "audio_path and audio_url"),
        (edit("manifest.json", lambda m: m["items"][0].pop("audio_path")), "no audio"),
        (edit("manifest.json", lambda m: m["items"][0].pop("id")), "Item 1 has no id"),
        (lambda folder: (folder / "audio/own_003.wav").unlink(), "Item own_003: there is no file audio/own_003.wav"),
    ],
)
def test_what_the_validator_refuses_is_said(tmp_path: Path, spoil: Callable[[Path], None], message: str) -> None:
    out = tmp_path / "alpha"
    export(out, spoken(IDS), CARD, dataset=formats.read(GOLDEN / "dataset.jsonl"))
    spoil(out)
    assert message in "\n".join(problems(out, IDS))


def test_a_subset_and_absent_audio_pass_when_asked_for(tmp_path: Path) -> None:
    out = tmp_path / "alpha"
    export(out, spoken(IDS[:2]), CARD, dataset=formats.read(GOLDEN / "dataset.jsonl"), subset=True)
    (out / "audio/own_001.wav").unlink()
    assert len(problems(out, IDS)) == 2
    assert problems(out, IDS, subset=True, audio_exists=False) == ()


def test_a_card_that_is_not_raw_cannot_be_read(tmp_path: Path) -> None:
    export(tmp_path / "a", spoken(IDS), CARD, dataset=formats.read(GOLDEN / "dataset.jsonl"))
    edit("system_card.json", lambda card: card.update(llm_rewrite=True))(tmp_path / "a")
    with pytest.raises(Fault, match=r"system_card\.json: llm_rewrite is true"):
        submission.read(tmp_path / "a")


def test_checksums_are_read_and_borne_out_or_not(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"abc")
    digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"  # of "abc": FIPS 180-2, appendix B.1
    sums = tmp_path / "sums"
    sums.write_text(f"{digest}  a.txt\n{digest.upper()} *b.txt\n")
    listed = submission.read_checksums(sums)
    assert listed == {"a.txt": digest, "b.txt": digest}
    assert submission.verify(listed, tmp_path) == (f"{tmp_path / 'b.txt'}: The file is missing.",)
    (tmp_path / "b.txt").write_bytes(b"abd")
    assert "the list has ba7816bf" in submission.verify(listed, tmp_path)[0]
    sums.write_text("abc  a.txt\n")
    with pytest.raises(Fault, match="line 1: The line is not an entry"):
        submission.read_checksums(sums)
