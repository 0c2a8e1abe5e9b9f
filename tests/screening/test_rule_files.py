"""One list says which files decide what runs by itself; the place of a path and a grant both go by it."""

import pytest

from hub.screening.commands.places import FilePlace, place_of
from hub.screening.rule_files import names_rules

SHOP = "/home/me/shop"
RULE_FILES = """
    .git/hooks/pre-commit .husky/pre-push .claude/settings.json .github/workflows/ci.yml
    .gitmodules .gitconfig .mcp.json.bak
    .vscode/settings.json .idea/workspace.xml .aider.conf.yml .config/fish/config.fish .envrc .npmrc .bashrc .zprofile
    .gdbinit mise.toml opencode.json .cargo/config.toml lefthook.yml Jenkinsfile sitecustomize.py .roomodes
    .venv/lib/python3.11/site-packages/x.pth azure-pipelines.yml .drone.yml cloudbuild.yaml .hooks/pre-push
    .yarn/releases/yarn.cjs pip.conf shop.code-workspace .pypirc .devcontainer/devcontainer.json
    gradle/wrapper/gradle-wrapper.properties .tool-versions .jvmopts tools/bazel .junie/guidelines.md .cursorrules
""".split()  # noqa: SIM905  so many names read better so
PLAIN_FILES = ("src/app.py", "Makefile", ".gitignore", ".editorconfig", ".env.example", "docs/hooks.md", "src/HEAD.py")


@pytest.mark.parametrize("name", RULE_FILES)
def test_a_rule_file_counts_as_one_wherever_it_is_asked(name: str) -> None:
    assert place_of(name, SHOP, [SHOP]) is FilePlace.RULES, name
    for said in (name, f"{SHOP}/{name}", f"cat x > {name}", f"cp x '{name}'", f"a={name};b", name.replace("/", "\\")):
        assert names_rules(said), said


@pytest.mark.parametrize("name", PLAIN_FILES)
def test_any_other_file_does_not(name: str) -> None:
    assert place_of(name, SHOP, [SHOP]) is FilePlace.INSIDE, name
    assert not names_rules(f"cat x > {name} && git diff HEAD"), name


@pytest.mark.parametrize("folder", [".github", ".vscode", ".svn", ".agents", ".config", ".git"])
def test_all_in_a_folder_that_holds_some_is_kept_from_a_grant(folder: str) -> None:
    assert names_rules(f"cp -r t/{folder} .")
    assert names_rules(f"cat {folder}/x.md")


@pytest.mark.parametrize("name", ["CLAUDE.md", "sub/AGENTS.md", "GEMINI.local.md"])
def test_what_agents_are_told_is_a_document_that_no_grant_covers(name: str) -> None:
    assert place_of(name, SHOP, [SHOP]) is FilePlace.INSIDE
    assert names_rules(f"sed -i s/a/b/ {name}")
