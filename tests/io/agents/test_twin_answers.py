"""Answers as models and their services really write them: read where it is clear what is meant, and named where not."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.policy import Policy
from hub.domain.provenance import untrusted
from hub.io.agents.twin_answers import read_answer, read_words
from hub.kit.model_text import answer_in

TIDY = {"idea": "", "prompt": "Tidy the notes", "channel": "", "confidence": 0.7, "reasoning": "r"}
WHOLE = json.dumps({"candidates": [TIDY]})
CUT_OFF = "its answer was cut off: it ran out of tokens"
NOT_JSON = "its answer was not the JSON asked for"


def body(content: object = WHOLE, /, *, ended: str = "stop", **more: object) -> str:
    message = {"role": "assistant", "content": content, **more}
    return json.dumps({"choices": [{"index": 0, "finish_reason": ended, "message": message}]})


def prompts(raw: str) -> list[tuple[str, float | None]]:
    return [(untrusted(each.prompt), each.confidence) for each in read_answer(raw, "m", Policy()).guesses]


def wrong(raw: str) -> tuple[str, ...]:
    answer = read_answer(raw, "m", Policy())
    assert answer.guesses == ()
    return answer.wrong


def events(*documents: object) -> str:
    return "".join(f"data: {json.dumps(each)}\n\n" for each in documents) + "data: [DONE]\n\n"


def piece(text: str | None, ended: str | None = None) -> dict[str, object]:
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": ended}]}


@pytest.mark.parametrize(
    "raw",
    [
        body(),
        "\ufeff" + body(),
        body() + "\n\ndata: [DONE]\n\n",
        body([{"type": "text", "text": WHOLE[:20]}, {"type": "output_text", "text": WHOLE[20:]}]),
        body([{"type": "thinking", "thinking": [{"type": "text", "text": "hm {"}]}, {"type": "text", "text": WHOLE}]),
        json.dumps({"choices": [{"message": {"content": None}}, {"message": {"content": WHOLE}}]}),
        json.dumps({"choices": [{"text": WHOLE}]}),
        events(json.loads(body())),
        ": ping\nevent: message\n" + events(piece(None), piece(WHOLE[:9]), piece(WHOLE[9:]), piece("", "stop")),
        events(piece(WHOLE), {"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 2}}),
    ],
)
def test_bodies_of_other_forms(raw: str) -> None:
    assert prompts(raw) == [("Tidy the notes", 0.7)]


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (body(None, reasoning_content=WHOLE), "it only returned its reasoning, not an answer"),
        (body(None, tool_calls=[{"function": {"arguments": WHOLE}}]), "it called a tool, and gave no answer"),
        (body(None, refusal="I cannot help with that."), "it refused to answer"),
        (body(None, ended="content_filter"), "its service withheld the answer"),
        (body("", ended="length", reasoning=WHOLE), CUT_OFF),
        (body(" \n"), "its answer is empty"),
        (body([{"type": "image_url"}]), "its answer is empty"),
        ('{"error": {"message": "overloaded"}}', "its service answered with an error"),
        ('{"candidates": []}', "its answer was not a chat completion"),
        ("data: {", "its answer was not a chat completion"),
        ("[" * 50_000, "its answer was not a chat completion"),
    ],
)
def test_what_has_no_text_says_what_it_has_instead(raw: str, said: str) -> None:
    assert wrong(raw) == (said,)
    words = read_words(raw)
    assert untrusted(words.words) == ""
    assert words.wrong == ("" if said == CUT_OFF else said)


def test_tokens_are_counted_in_a_stream_too() -> None:
    raw = events(piece(WHOLE), {"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 5}})
    assert read_answer(raw, "m", Policy()).tokens == (10, 5)
    assert read_answer(body(), "m", Policy()).tokens is None


@pytest.mark.parametrize(
    "candidate",
    [
        {**TIDY, "idea": None, "channel": None, "reasoning": None},
        {"prompt": "Tidy the notes", "confidence": "0.7"},
        {"prompt": "Tidy the notes", "confidence": "70%"},
        {**TIDY, "reasoning": ["a", "b"]},
        {**TIDY, "reasoning": {"because": "x"}},
    ],
)
def test_fields_of_other_kinds(candidate: dict[str, object]) -> None:
    assert prompts(body(json.dumps({"candidates": [candidate]}))) == [("Tidy the notes", 0.7)]


@pytest.mark.parametrize("confidence", [None, "high", True, [0.7], ""])
def test_a_confidence_that_is_no_number_is_none(confidence: object) -> None:
    assert prompts(body(json.dumps({**TIDY, "confidence": confidence}))) == [("Tidy the notes", None)]


@pytest.mark.parametrize("confidence", [7, "700%", "nan", 10**400, "1e999"])
def test_a_confidence_beyond_one_is_named(confidence: object) -> None:
    (said,) = wrong(body(json.dumps({**TIDY, "confidence": confidence})))
    assert "not from 0 to 1" in said


@pytest.mark.parametrize(
    "content",
    [
        f'Schema:\n```json\n{{"candidates": [...]}}\n```\nAnswer:\n```json\n{WHOLE}\n```',
        f'Draft:\n```json\n{{"candidates": []}}\n```\nFinal:\n```json\n{WHOLE}\n```',
        f"```json\n{WHOLE}\n```\nTo try it:\n```sh\nls\n```",
        f"Here it is: {WHOLE} Good luck!",
        '{"candidates":[{"prompt":"Tidy the notes","confidence":0.7,},]}',
        f"<think>Perhaps {{}}</think>\n{WHOLE}",
        f"Perhaps {{}}</think>{WHOLE}",
        f"<thinking>a</thinking><think>b</think>{WHOLE}",
        f"[THINK]hm[/THINK]{WHOLE}",
        f"{WHOLE}\n<think>was that right? {{",
    ],
)
def test_json_among_other_things(content: str) -> None:
    assert prompts(body(content)) == [("Tidy the notes", 0.7)]


def test_strings_may_hold_tags_and_line_breaks() -> None:
    assert prompts(body('{"prompt": "Remove </think> and <think>"}')) == [("Remove </think> and <think>", None)]
    assert prompts(body('{"prompt": "Tidy\nthe notes, ]"}')) == [("Tidy\nthe notes, ]", None)]


def test_one_candidate_a_line() -> None:
    lines = '{"prompt": "A", "confidence": 0.6}\n{"prompt": "B", "confidence": 0.5},\n'
    assert prompts(body(lines)) == prompts(body(f"```\n{lines}```")) == [("A", 0.6), ("B", 0.5)]


@pytest.mark.parametrize(
    "content",
    [
        '{"prompt": "A", "confidence": 0.9} is too risky, so {"prompt": "B", "confidence": 0.6}',
        'Perhaps {"prompt": "A"}</think>',
        '```json\n{"prompt": "A"}\n```</think>No.',
        "[1, 2]",
        "I would do nothing.",
    ],
)
def test_what_may_have_been_rejected_is_no_answer(content: str) -> None:
    assert wrong(body(content)) == (NOT_JSON,)


@pytest.mark.parametrize(
    ("content", "ended"),
    [
        ('<think>Perhaps {"prompt": "Rename the logger in every module", "confidence": 0.9} no, too risky', "stop"),
        ('<think>a</think><think>```json\n{"prompt": "A"}\n```', "length"),
        ('Perhaps {"prompt": "A", "confidence": 0.9} no, too ri', "length"),
        ('[{"prompt": "A", "confidence": 0.9}, {"prompt": "B', "length"),
    ],
)
def test_a_thought_that_was_cut_off_is_no_answer(content: str, ended: str) -> None:
    assert wrong(body(content, ended=ended)) == (CUT_OFF,)


def test_an_answer_that_is_whole_counts_though_it_was_cut_off_behind() -> None:
    assert prompts(body(WHOLE, ended="length")) == [("Tidy the notes", 0.7)]
    assert prompts(body(f"```json\n{WHOLE}\n```\nThis is be", ended="length")) == [("Tidy the notes", 0.7)]


def test_nothing_to_propose_is_no_trouble() -> None:
    for content in ('{"candidates": []}', '{"candidates": null}'):
        answer = read_answer(body(content), "m", Policy())
        assert (answer.guesses, answer.wrong) == ((), ())


@given(
    st.one_of(st.text(max_size=99), st.lists(st.sampled_from(["[/THINK]", WHOLE, "```", "\n", "{", "["])).map("".join))
)
def test_nothing_within_an_open_thought_is_an_answer(thought: str) -> None:
    assert wrong(body(f"<think>{thought.replace('>', '').replace(']', '')}{WHOLE}")) == (CUT_OFF,)


@given(st.text(max_size=200))
def test_no_body_raises(raw: str) -> None:
    for text in (raw, f"data: {raw}", body(raw)):
        read_answer(text, "m", Policy())
        read_words(text)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (" yes ", "yes"),
        ("", ""),
        ("<think>a</think> yes", "yes"),
        ("a</think>yes", "yes"),
        ("<THINK>a</THINK>b</think>c", "c"),
        ("yes <think>but", "yes"),
        ("<think>yes", None),
        ("<think>a</think><think>yes", None),
        ("a < think > b", "a < think > b"),
    ],
)
def test_what_a_model_answered_without_its_thoughts(text: str, answer: str | None) -> None:
    assert answer_in(text) == answer
