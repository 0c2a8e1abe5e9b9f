import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.sense.git_config import NOT_SHOWN, VALUE_CHARS_MAX, config_file, kept_settings, own_filters, shut_filters

NAMES = st.text(st.characters(blacklist_characters="\0\n", blacklist_categories=["Cs"]), min_size=1, max_size=20)


def listed(*settings: str, scope: str = "local") -> bytes:
    return "".join(f"{scope}\0{setting}\0" for setting in settings).encode()


@pytest.mark.parametrize(
    "key",
    [
        *("filter.a=b.clean", "core.fsmonitor", "core.sshcommand", "diff.x.textconv", "gpg.program", "include.path"),
        *("core.worktree", "extensions.partialclone", "extensions.worktreeconfig", "remote.origin.url", "remote.x.vcs"),
        *("remote.origin.uploadpack", "branch.main.mergeoptions", "alias.status", "core.attributesfile", "nonsense"),
        *("core.a.filemode", "filter.remote", "url.remote.fetch"),
    ],
)
def test_what_is_not_listed_is_not_taken_over(key: str) -> None:
    assert kept_settings(listed(f"{key}\nvalue")) == ()


def test_layout_comparison_and_what_a_branch_follows_are_taken_over() -> None:
    raw = listed(
        *("core.filemode\nfalse", "core.ignorecase", "branch.a.b.Merge\nrefs/heads/x", "remote.o.fetch\n+a:b"),
        *("remote.pushDefault\nfork", "branch.a.b.pushRemote\nfork", "remote.o.push\nHEAD:refs/for/x"),
    )
    assert kept_settings(raw) == (
        ("core.filemode", "false"),
        ("core.ignorecase", "true"),
        ("branch.a.b.Merge", "refs/heads/x"),
        ("remote.o.fetch", "+a:b"),
        ("remote.pushDefault", "fork"),
        ("branch.a.b.pushRemote", "fork"),
        ("remote.o.push", "HEAD:refs/for/x"),
    )


def test_only_the_repositorys_own_settings_are_written_down_again() -> None:
    assert kept_settings(listed("core.eol\nlf", scope="global")) == ()
    assert kept_settings(listed("core.eol\nlf", scope="worktree")) == (("core.eol", "lf"),)
    assert kept_settings(listed(f"core.eol\n{'x' * (VALUE_CHARS_MAX + 1)}")) == ()


def test_filters_of_the_repository_are_shut_and_the_persons_own_are_known() -> None:
    own = listed(
        "filter.lfs.clean\ngit-lfs clean", "filter.both.process\nx", "filter.lfs.required\ntrue", scope="global"
    )
    raw = (
        own
        + listed("filter.a=b.Clean\nmine", "filter.both.clean\nmine")
        + listed("filter.c.process\ny", scope="worktree")
    )
    assert own_filters(raw) == {"lfs"}
    shut = shut_filters(raw)
    assert [key for key, _ in shut] == [
        *("filter.a=b.clean", "filter.a=b.required", "filter.both.clean", "filter.both.required"),
        *("filter.c.clean", "filter.c.required"),
    ]
    assert {value for _, value in shut} == {f"echo '{NOT_SHOWN}'", "true"}


@given(st.binary(max_size=300))
def test_garbage_never_raises(raw: bytes) -> None:
    config_file((*kept_settings(raw), *shut_filters(raw)))


@pytest.mark.slow
@given(NAMES, NAMES)
def test_nothing_in_a_value_can_begin_another_setting(name: str, value: str) -> None:
    written = config_file([(f"branch.{name}.merge", value)])
    assert written.count("\n") == 2
    assert not written.replace("\\\\", "").replace('\\"', "").count('"') % 2


@pytest.mark.parametrize("value", ['a"; b', "back\\slash", "tab\there", "line\nbreak", "#x", " spaces ", "é"])
def test_git_reads_back_what_was_written(tmp_path: Path, value: str) -> None:
    file = tmp_path / "config"
    file.write_text(config_file([(f"branch.{value.replace(chr(10), '')}.merge", value)]))
    said = subprocess.run(("git", "config", "--file", file, "--list", "-z"), capture_output=True, check=True)
    assert said.stdout.decode() == f"branch.{value.replace(chr(10), '')}.merge\n{value}\0"
