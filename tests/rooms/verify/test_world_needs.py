"""What a need says: which parts can be looked at, and that a sentence stays a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.contract.world import AgentStatus
from hub.domain.provenance import LogText, untrusted
from hub.domain.world import WorldSession
from hub.domain.world_proof import CommandNeed, FileNeed, NeedPart, SaysNeed, UrlNeed, WordsNeed
from hub.verify.world_needs import PARTS_MAX, heard, needs_of
from tests.fakes.world import utc

NOON = utc(2026, 3, 10, 12, 0)


def file(pattern: str, text: str = "") -> FileNeed:
    return FileNeed(pattern=LogText(pattern), text=LogText(text))


def url(address: str, text: str = "") -> UrlNeed:
    return UrlNeed(url=LogText(address), text=LogText(text))


def says(pattern: str) -> SaysNeed:
    return SaysNeed(pattern=LogText(pattern))


def command(words: str, exit_code: int = 0) -> CommandNeed:
    return CommandNeed(command=LogText(words), exit_code=exit_code)


def free(text: str) -> WordsNeed:
    return WordsNeed(text=LogText(text))


@pytest.mark.parametrize(
    ("need", "parts"),
    [
        ("file: dist/*.whl", [file("dist/*.whl")]),
        ("  FILE :dist/*.whl ;", [file("dist/*.whl")]),
        ("file: README.md contains # Pulse", [file("README.md", "# Pulse")]),
        ("file README.md contains how to start", [file("README.md", "how to start")]),
        ('file: "my notes" contains "a; b"', [file("my notes", "a; b")]),
        ('file "a contains b.txt" contains x', [file("a contains b.txt", "x")]),
        ("says: confirmation #*", [says("confirmation #*")]),
        ("says: it contains nothing", [says("it contains nothing")]),
        ("exit 0: make test; make lint", [command("make test; make lint")]),
        ("Exit 2: grep -r x .", [command("grep -r x .", 2)]),
        ('command: "make test"; file: a.txt', [command("make test"), file("a.txt")]),
        ("url: http://127.0.0.1:8000/health", [url("http://127.0.0.1:8000/health")]),
        ("url: http://localhost/ contains up and well", [url("http://localhost/", "up and well")]),
        ("file: a.txt; says: done\nurl: http://[::1]/", [file("a.txt"), says("done"), url("http://[::1]/")]),
        ("file: a.txt and says: done", [file("a.txt"), says("done")]),
        ("file: a.txt contains salt and pepper", [file("a.txt", "salt and pepper")]),
        ("a price and file b.txt contains EUR", [free("a price"), file("b.txt", "EUR")]),
        ("confirmation number", [free("confirmation number")]),
        ("listing URL with price; a phone number", [free("listing URL with price"), free("a phone number")]),
        ("", []),
        (" ; \n ", []),
    ],
)
def test_what_can_be_looked_at_is_known_by_its_first_word(need: str, parts: list[NeedPart]) -> None:
    assert list(needs_of(LogText(need))) == parts


@pytest.mark.parametrize(
    "need",
    [
        "file that contains prices",
        "file the tax return",
        "file: the tax return for last year",
        "url: the address of the listing",
        "profile: a photo",
        "file:",
        "says:",
        "exit: through the gift shop",
        "the command: make test",
        "exit 0:",
    ],
)
def test_a_sentence_stays_a_sentence(need: str) -> None:
    assert needs_of(LogText(need)) == (free(need),)


def test_there_are_only_so_many_parts_and_nothing_of_the_others_is_lost() -> None:
    parts = needs_of(LogText("; ".join(f"file: {number}.txt" for number in range(PARTS_MAX + 3))))
    assert len(parts) == PARTS_MAX + 1
    assert parts[-1] == free("file: 16.txt; file: 17.txt; file: 18.txt")


needs = st.text(st.sampled_from('file: says url exit0command contains and "\n;*./~'), max_size=120) | st.text()


@given(needs)
def test_any_text_is_read_and_every_word_of_it_is_in_a_part(need: str) -> None:
    told = "".join(_words(part) for part in needs_of(LogText(need)))
    left = need.translate({ord(one): None for one in ' \t\r\n;"'})
    for word in ("file", "says", "url", "command", "exit", "contains", "and"):
        told, left = (text.lower().replace(word, "") for text in (told, left))
    kept = [one for one in left if not one.isspace() and one not in ":0123456789"]
    assert sum(one not in told for one in kept) == 0


@pytest.mark.slow
@given(st.from_regex(r"[a-z]{1,8}(/[a-z*?]{1,8}){1,3}", fullmatch=True), st.sampled_from(["file", "File", "FILE"]))
def test_case_and_blanks_of_a_key_do_not_count(path: str, key: str) -> None:
    assert needs_of(LogText(f"  {key}  :   {path} ; ")) == (file(path),)


@pytest.mark.parametrize(
    ("pattern", "said", "state"),
    [
        ("confirmation #*", "Booked JAL $450, Confirmation  #XYZ789", "there"),
        ("*#*9*", "Booked JAL $450, confirmation #XYZ789", "there"),
        ("confirmation #?*", "Booked, confirmation # follows", "there"),
        ("confirmation #", "Booked, the number follows", "missing"),
        ("$", "no prices", "missing"),
    ],
)
def test_what_a_session_said_is_looked_through(pattern: str, said: str, state: str) -> None:
    session = WorldSession(
        id="abc", status=AgentStatus.FINISH, started_at=NOON, moved_at=NOON, heard_at=NOON, said=LogText(said)
    )
    assert heard(says(pattern), session).state == state


def _words(part: NeedPart) -> str:
    match part:
        case FileNeed(pattern=first, text=second) | UrlNeed(url=first, text=second):
            return untrusted(first) + untrusted(second)
        case SaysNeed(pattern=text) | CommandNeed(command=text) | WordsNeed(text=text):
            return untrusted(text)
