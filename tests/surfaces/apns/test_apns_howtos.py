"""The Swift of the how-tos fits what is sent: fields as in the schemas; categories, sentences, haptics as here."""

import re
from pathlib import Path
from typing import Any, get_args

import pytest

from hub.contract.documents import messages, schema_of
from hub.contract.words import Verb
from surfaces.apns.category import CATEGORIES, VERSION, Action
from surfaces.apns.face import SYMBOLS
from surfaces.apns.payload import AlertPayload, Haptic
from tests.house.source import ROOT
from tests.surfaces.apns.cards import STRINGS, WORDS

HOWTOS = ROOT / "docs/howto"
PAGES = [path for path in sorted(HOWTOS.glob("*.md")) if "](swift/" in path.read_text(encoding="utf-8")]
LINK = re.compile(r"\]\((swift/[^)]+\.\w+)\)")


def linked(page: Path) -> list[Path]:
    """The files of an app that a how-to names, in its order."""
    return [HOWTOS / name for name in LINK.findall(page.read_text(encoding="utf-8"))]


def code(page: str) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in linked(HOWTOS / page))


IOS, WATCH = code("ios.md"), code("watchos.md")
MESSAGES = messages()
STRUCT = re.compile(r"^struct (\w+): [^{]*Codable[^{]*\{([^}]*)\}", re.MULTILINE)
FIELD = re.compile(r"\b(?:let|var) ([\w, ]+?)(?::|\s*=)")
SENT = {"PairRequest", "ActionRequest", "ApnsAddress", "AddressRequest", "ReceiptRequest", "ActivityToken"}


def swift_structs(page: str) -> dict[str, set[str]]:
    found = {}
    for name, body in STRUCT.findall(page):
        plain = re.sub(r"//.*", "", body)
        found[name] = {field.strip() for names in FIELD.findall(plain) for field in names.split(",")}
    return found


def schema(name: str) -> dict[str, Any]:
    document: dict[str, Any] = schema_of(MESSAGES[name])
    found: dict[str, Any] = document["$defs"][name]
    return found


STRUCTS = {name: fields for name, fields in swift_structs(IOS).items() if name in MESSAGES}


def test_every_file_of_the_apps_belongs_to_one_howto() -> None:
    named = [path for page in PAGES for path in linked(page)]
    assert sorted(named) == sorted((HOWTOS / "swift").iterdir())
    assert [page.name for page in HOWTOS.glob("*.md") if "```swift" in page.read_text(encoding="utf-8")] == []


def test_the_structs_of_the_contract_are_there() -> None:
    assert set(STRUCTS) >= SENT | {
        "Prediction",
        "CrossPollStatus",
        "SyncAnswer",
        "PairAnswer",
        "AnswerReply",
        "Problem",
    }


@pytest.mark.parametrize("name", STRUCTS)
def test_swift_and_schema_have_the_same_fields(name: str) -> None:
    assert STRUCTS[name] <= set(schema(name)["properties"])
    if name in SENT:
        assert set(schema(name).get("required", [])) <= STRUCTS[name]


def swift_action(action: Action) -> str:
    is_unlocked = action.identifier == "APPROVE" and action.needs_unlocked
    return "approveUnlocked" if is_unlocked else action.identifier.lower().replace("_", "")


def test_the_phone_registers_every_category() -> None:
    for category in CATEGORIES:
        actions = ", ".join(swift_action(action) for action in category.actions)
        assert f'("{category.name}", [{actions}])' in IOS
    for action in {action.identifier: action for category in CATEGORIES for action in category.actions}.values():
        made = next(
            line for line in IOS.splitlines() if f'identifier: "{action.identifier}"' in line and "Unlocked" not in line
        )
        assert (".destructive" in made) is action.is_destructive
        assert ".foreground" not in made


def test_the_apps_say_which_categories_they_register() -> None:
    assert f"var categories = {VERSION} " in IOS
    assert max(category.since for category in CATEGORIES) == VERSION


def test_the_watch_registers_every_category_without_text() -> None:
    for category in CATEGORIES:
        if any(action.is_text for action in category.actions):
            continue
        actions = ", ".join(swift_action(action) for action in category.actions)
        assert f'("{category.name}", [{actions}])' in WATCH


def test_the_sentences_are_those_of_the_app() -> None:
    assert f"var strings = {STRINGS}" in IOS
    listed = dict(re.findall(r'^"([A-Z_]+)" = "(.*)";$', IOS, flags=re.MULTILINE))
    buttons = {f"{verb.name}_BUTTON" for verb in Verb}
    assert {name: text for name, text in listed.items() if name not in buttons} == WORDS["en"].texts


def test_the_buttons_of_the_app_have_the_words_of_every_surface() -> None:
    named = dict(re.findall(r'"([A-Z]+)_BUTTON" = "\S+ (.*?)";', IOS))
    assert named == {verb.name: WORDS["en"].phrases.title(verb.value) for verb in Verb}
    watch = dict(re.findall(r'identifier: "([A-Z]+)", title: "\S+ (.*?)"', WATCH))
    assert watch
    assert watch.items() <= named.items()


def test_every_language_has_every_sentence_with_its_values() -> None:
    def values(text: str) -> set[str]:
        return set(re.findall(r"%\d\$@", text))

    for words in WORDS.values():
        assert {name: values(text) for name, text in words.texts.items()} == {
            name: values(text) for name, text in WORDS["en"].texts.items()
        }


def test_the_watch_knows_every_haptic_and_symbol() -> None:
    assert all(f'"{haptic}": .{haptic}' in WATCH for haptic in get_args(Haptic) if haptic)
    assert all(symbol in WATCH for symbol in SYMBOLS.values())


def test_every_key_of_a_notification_is_described() -> None:
    keys = set(AlertPayload.__struct_encode_fields__) - {"aps", "haptic"}
    page = (HOWTOS / "ios.md").read_text(encoding="utf-8")
    assert {key for key in keys if f"`{key}`" not in page} == set()
