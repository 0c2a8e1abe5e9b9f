"""Reading the file: all mistakes at once, each with what to write instead."""

import contextlib
import os
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins

from hub.app.surfaces import SURFACES, keep_set_up
from hub.settings import Settings, SettingsError, policy_of, read_settings
from hub.settings.read import FILE_BYTES_MAX, SET_UP_KEYS, SET_UP_NAMED_KEYS, SHOWN_CHARS_MAX, parse_settings
from hub.settings.schema import with_surfaces

PATH = Path("config.toml")
SEVERAL = """
colour = "blue"
workspaces = ["a", 3]

[crosspoll]
intervall_s = 60
enabled = "yes"

[costs]
hour_usd = -1

[quiet]
end_hour = 24

[channels."two words"]

[agents.coder]
kind = "comand"
"""


def mistakes_in(text: str) -> tuple[str, ...]:
    with pytest.raises(SettingsError) as caught:
        parse_settings(text, PATH)
    return caught.value.mistakes


def test_without_a_file_every_default_holds(tmp_path: Path) -> None:
    assert to_builtins(read_settings(tmp_path / "config.toml", ())) == to_builtins(Settings())


def test_an_empty_file_is_the_same(tmp_path: Path) -> None:
    (tmp_path / "config.toml").touch()
    assert to_builtins(read_settings(tmp_path / "config.toml", ())) == to_builtins(Settings())


def test_all_mistakes_are_named_together() -> None:
    assert mistakes_in(SEVERAL) == (
        f"unknown key `colour`; known here: {', '.join(sorted(Settings.__struct_fields__))}",
        "`workspaces`: must be text, not a whole number (found ['a', 3])",
        "unknown key `crosspoll.intervall_s`; did you mean `interval_s`?",
        "`crosspoll.enabled`: must be true or false, not text (found 'yes')",
        "`costs.hour_usd`: must be a number >= 0.0 (found -1)",
        "`quiet.end_hour`: must be a whole number <= 23 (found 24)",
        "`channels.two words`: may hold letters, digits, _ and - only (found 'two words')",
        "`agents.coder.kind`: must be one of playbook, command, acp, openclaw (found 'comand')",
    )


def test_the_message_names_the_file_and_says_what_to_do() -> None:
    with pytest.raises(SettingsError, match=r"config\.toml has 8 mistakes:") as caught:
        parse_settings(SEVERAL, PATH)
    assert str(caught.value).count("\n  - ") == 8
    assert "pulse config check" in caught.value.fix


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[crosspol]", "did you mean `crosspoll`?"),
        ("[autonomous]\nsilence = 3", "did you mean `silence_s`?"),
        ("[channels.x]\nspeciality = ''", "did you mean `specialty`?"),
        ("[agents.x]\nargs = []", "did you mean `argv`?"),
        ("[person]\nqqqq = 1", "known here: name, zone"),
    ],
)
def test_an_unknown_key_is_answered_with_the_nearest_one(text: str, said: str) -> None:
    (mistake,) = mistakes_in(text)
    assert mistake.startswith("unknown key `")
    assert mistake.endswith(said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("quiet = 1", "`quiet` must be a table"),
        ("channels = 1", "`channels`: must be a table, not a whole number (found 1)"),
        ("[channels]\nx = 1", "`channels.x` must be a table"),
        ("[agents.'']", "`agents.`: must be text of length >= 1 (found '')"),
        ("[crosspoll]\ninterval_s = nan", "`crosspoll.interval_s`: must be a number > 0.0 (found nan)"),
        ("[costs]\nday_usd = inf", "`costs.day_usd`: must be a number <= 1000000.0 (found inf)"),
        ("[session]\ntokens_max = 1.5", "`session.tokens_max`: must be a whole number, not a number (found 1.5)"),
        ("[api]\nport = true", "`api.port`: must be a whole number, not true or false (found True)"),
        ("[person]\nname = 'two words'", "`person.name`: may hold letters, digits, _ and - only (found 'two words')"),
    ],
)
def test_a_wrong_value_is_said_in_plain_words(text: str, said: str) -> None:
    assert mistakes_in(text) == (said,)


def test_a_long_wrong_value_is_not_repeated_in_full() -> None:
    (mistake,) = mistakes_in(f"[crosspoll]\ninterval_s = '{'x' * 5000}'")
    assert len(mistake) < SHOWN_CHARS_MAX + 100


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[drives]\nfiles = ['~/x.json']", "`drives.files`: '~/x.json' does not say what is in it; write it like"),
        (
            "[drives]\nprocesses = ['rm -rf', 'bot.py']",
            "`drives.processes`: 'rm -rf' is not a program name; write it",
        ),
        ("[channels.x]\nagent = 'nobody'", "`channels.x.agent`: there is no agent `nobody`; known: playbook"),
        ("[agents.x]\nkind = 'command'", "`agents.x.argv` is empty"),
        ("[drives]\nagent = 'nobody'", "`drives.agent`: there is no agent `nobody`; known: playbook"),
        ("[drives]\nagent = 'playbook'", "`playbook` cannot be woken by a message; its `kind` must be openclaw"),
        ("[agents.x]\nkind = 'openclaw'", "`agents.x.url` is empty"),
        ("[person]\nzone = 'Europe/Vindobona'", "there is no time zone 'Europe/Vindobona'"),
        ("[person]\nzone = '../../etc/passwd'", "there is no time zone"),
        ('[person]\nzone = "a\\u0000b"', "there is no time zone"),
        ("[crosspoll]\nshow_threshold = 0.7", "thresholds must not fall"),
        ("[crosspoll]\nauto_execute_threshold = 0.5", "thresholds must not fall"),
        ("[twin]\nenabled = true\nurl = 'http://127.0.0.1'", "`url` or `model` is empty"),
        ("[twin]\nenabled = true\n[twins.cloud]\nurl = 'http://127.0.0.1'", "`twins.cloud`: `url` or `model` is empty"),
        ("[world]\nchecker = 'nobody'", "`world.checker`: there is no model `nobody`; known: none"),
        (
            "[world]\nchecker = 'x'\n[twin]\nurl = 'u'\nmodel = 'm'\n[twins.cloud]\nurl = 'u'\nmodel = 'm'",
            "`world.checker`: there is no model `x`; known: cloud, first",
        ),
        ("[twin]\nurl = 'u'\nmodel = 'm'\n[twins.first]\nurl = 'u'\nmodel = 'm'", "give this one another name"),
        ("[sensors.caldav]\nuser = 'ada'", "`sensors.caldav.url` is empty"),
        ("[sensors.caldav]\nurl = 'https://dav.example/'", "`sensors.caldav.user` is empty"),
        ("[sensors.caldav]\nurl = 'http://dav.example/'\nuser = 'ada'", "it is not encrypted. Use https://"),
        ("[sensors.caldav]\nurl = 'https://me:pass@dav.example/'\nuser = 'ada'", "it holds a user name or a password"),
        ("[sensors.caldav]\nurl = 'https://d.example/'\nuser = 'a'\npassword_env = ''", "name the password's variable"),
        ("\n".join(f"[twins.t{n}]\nurl = 'u'\nmodel = 'm'" for n in range(5)), "`twins`: more than 4"),
    ],
)
def test_contradictions_are_mistakes(text: str, said: str) -> None:
    (mistake,) = mistakes_in(text)
    assert said in mistake


def test_several_contradictions_are_named_together() -> None:
    person_and_twin = "[person]\nzone = 'Nowhere'\n[twin]\nenabled = true\n"
    poll_and_agent = "[crosspoll]\nshow_threshold = 1\n[agents.x]\nkind = 'openclaw'\n"
    assert len(mistakes_in(person_and_twin + poll_and_agent)) == 4


def test_equal_thresholds_are_no_contradiction() -> None:
    text = "[crosspoll]\nshow_threshold = 0.7\nsuggest_threshold = 0.7\nauto_execute_threshold = 0.7"
    assert parse_settings(text, PATH).crosspoll.show_threshold == 0.7


def test_channels_and_agents_add_to_the_defaults() -> None:
    text = "[channels.ops]\nagent = 'coder'\n[agents.coder]\nkind = 'command'\nargv = ['codex']"
    settings = parse_settings(text, PATH)
    assert set(settings.channels) == {*Settings().channels, "ops"}
    assert set(settings.agents) == {"playbook", "coder"}
    assert settings.channels["garden"] == Settings().channels["garden"]


def test_the_same_name_replaces_a_default() -> None:
    settings = parse_settings("[channels.garden]\nspecialty = 'Roses'", PATH)
    assert settings.channels["garden"].specialty == "Roses"
    assert settings.channels["garden"].affinities == ()
    assert len(settings.channels) == len(Settings().channels)


@pytest.mark.parametrize("content", [b"\xff\xfe", b"x" * (FILE_BYTES_MAX + 1), b"a = \n", b"\xef\xbb\xbfa = 1", b"\0"])
def test_a_file_that_is_no_toml_is_a_clear_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "config.toml").write_bytes(content)
    with pytest.raises(SettingsError, match=r"cannot be read|larger than|not valid TOML"):
        read_settings(tmp_path / "config.toml", ())


def test_a_folder_in_its_place_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        read_settings(tmp_path, ())


def test_a_path_through_a_file_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError, match="cannot be read"):
        read_settings(tmp_path / "file" / "config.toml", ())


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "config.toml").touch(mode=0o000)
    with pytest.raises(SettingsError, match="cannot be read"):
        read_settings(tmp_path / "config.toml", ())


@pytest.mark.parametrize("text", ["x = " + "[" * 100_000, "x = " + "9" * 5_000, "x = 1\nx = 2", '"\\ud800" = 1'])
def test_hostile_toml_is_a_clear_error(text: str) -> None:
    assert "not valid TOML" in mistakes_in(text)[0]


def parses_or_says_why(text: str) -> None:
    with contextlib.suppress(SettingsError):
        policy_of(parse_settings(text, PATH), "UTC")


SECTIONS = sorted({*Settings.__struct_fields__, "channels.x", "agents.x", "crosspol", "channels.'a b'"})
KEYS = sorted(
    {name for one in Settings.__struct_fields__ for name in getattr(getattr(Settings(), one), "__struct_fields__", ())}
    | {"agent", "risk", "kind", "argv", "url", "cost_per_run_usd", "nonsense"}
)
SCALARS = st.one_of(
    st.integers().map(str),
    st.floats().map(repr),
    st.sampled_from(["true", "false", "nan", "-inf", "1979-05-27", "07:32:00", "[]", "['x']", "{}", "{a = 1}", "''"]),
    st.text(st.characters(codec="utf-8", exclude_characters="'\r\n", exclude_categories=["C"])).map("'{}'".format),
)
LINES = st.lists(st.tuples(st.sampled_from(KEYS), SCALARS).map(" = ".join), max_size=4, unique_by=lambda line: line[:9])
TABLES = st.lists(st.tuples(st.sampled_from(SECTIONS), LINES), max_size=4, unique_by=lambda table: table[0])


@pytest.mark.slow
@given(TABLES)
def test_any_settings_parse_or_say_what_is_wrong(tables: list[tuple[str, list[str]]]) -> None:
    parses_or_says_why("\n".join(f"[{name}]\n" + "\n".join(lines) for name, lines in tables))


@given(st.text())
def test_any_text_parses_or_says_what_is_wrong(text: str) -> None:
    parses_or_says_why(text)


def test_what_commands_set_up_holds_where_the_file_is_silent(tmp_path: Path) -> None:
    (tmp_path / "set-up.json").write_text('{"api": {"public_url": "https://a.example", "port": 8500}}')
    assert read_settings(tmp_path / "config.toml", ()).api.public_url == "https://a.example"
    (tmp_path / "config.toml").write_text('[api]\npublic_url = "https://b.example"\n')
    settings = read_settings(tmp_path / "config.toml", ()).api
    assert (settings.public_url, settings.port) == ("https://b.example", 8500)


@pytest.mark.parametrize("text", ["[", "[]", '{"api": 1}', '{"api": {"hots": 1}}', '{"apy": {}}'])
def test_what_was_set_up_is_read_as_strictly(tmp_path: Path, text: str) -> None:
    (tmp_path / "set-up.json").write_text(text)
    with pytest.raises(SettingsError):
        read_settings(tmp_path / "config.toml", ())


@pytest.mark.parametrize(
    "place",
    [
        "ntfy.approves",
        "homeassistant.approves",
        "homeassistant.trust_broker",
        "telegram.api",
        "autonomous.enabled",
        "costs.hour_usd",
        "mqtt.url",
        "agents.playbook.contain",
        "channels.koji-core.risk",
        "sensors.ci_command",
    ],
)
def test_what_no_command_sets_up_is_refused_and_named(tmp_path: Path, place: str) -> None:
    table: object = True
    for key in reversed(place.split(".")):
        table = {key: table}
    (tmp_path / "set-up.json").write_bytes(msgspec.json.encode(table))
    with pytest.raises(SettingsError) as caught:
        read_settings(tmp_path / "config.toml", SURFACES)
    assert caught.value.mistakes == (
        f"`{place}` is set up by no command; take it out, or move it to config.toml if you want it",
    )
    assert "set-up.json" in caught.value.detail


def test_every_key_that_a_command_sets_up_is_a_setting() -> None:
    kinds = {one.name: one.type for one in msgspec.structs.fields(with_surfaces(SURFACES))}
    for table, keys in {**SET_UP_KEYS, **{spec.table: spec.set_up_keys for spec in SURFACES}}.items():
        assert set(keys) <= set(kinds[table].__struct_fields__), table
    for table, keys in SET_UP_NAMED_KEYS.items():
        assert set(keys) <= set(kinds[table].__args__[1].__struct_fields__), table


def test_no_set_up_keeps_what_a_start_would_refuse(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"ntfy\.approves"):
        keep_set_up(tmp_path / "set-up.json", "ntfy", {"server": "https://ntfy.example", "approves": True})
    assert not (tmp_path / "set-up.json").exists()
