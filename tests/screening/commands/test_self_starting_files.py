"""Which files in a project start by themselves, for a line of a shell and for an agent's tool that edits files."""

import pytest

from hub.contract.effects import Effect
from hub.contract.permission import Act
from hub.screening.acts import read_act
from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"
RULES = (
    *("azure-pipelines.yml", "bitbucket-pipelines.yml", ".drone.yml", ".woodpecker.yml", ".woodpecker/x.yml"),
    *(".buildkite/pipeline.yml", "appveyor.yml", "cloudbuild.yaml", "buildspec.yml", ".cirrus.yml", ".tekton/x.yaml"),
    *(".gitlab/ci/x.yml", ".gitea/workflows/x.yml", ".github/actions/x/action.yml", ".circleci/x.yml"),
    *(".githooks/pre-commit", ".hooks/pre-commit", ".lefthook/pre-commit/x.sh", "lefthook-local.yml"),
    *(
        ".overcommit.yml",
        ".lfsconfig",
        ".hg/hgrc",
        ".jj/repo/config.toml",
        ".mise/config.toml",
        ".rtx.toml",
        ".autoenv",
    ),
    *(
        ".zed/tasks.json",
        ".vs/tasks.vs.json",
        "x.code-workspace",
        ".gitpod.yml",
        ".replit",
        ".dir-locals.el",
        ".lvimrc",
    ),
    *(".yarn/releases/yarn-x.cjs", ".yarn/plugins/x.cjs", ".pnp.cjs", ".mvn/jvm.config", ".bundle/config", "pip.conf"),
    *(".cursorrules", ".windsurfrules", ".clinerules/x.md", ".amazonq/cli-agents/x.json", ".qwen/settings.json"),
    *(".factory/hooks.json", "crush.json", ".agents/skills/x/SKILL.md", "sub/.goosehints"),
    *(".venv/bin/activate", "venv/bin/pytest", ".tox/py312/bin/python", "node_modules/.bin/jest", "sub/env/bin/x"),
    *("node_modules/x/index.js", ".venv/lib/python3.12/site-packages/x/api.py", "vendor/github.com/x/y.go"),
    *(".devcontainer/post.sh", ".github/scripts/x.sh", "gradle/wrapper/gradle-wrapper.properties", ".tool-versions"),
    *(".helix/languages.toml", ".pryrc", ".iex.exs", ".pdbrc.py", ".psqlrc", ".pnp.loader.mjs", ".bazelrc"),
)
DOCUMENTS = (
    *("CLAUDE.md", "AGENTS.md", "GEMINI.md", "README.md", "Makefile", "docs/hooks/intro.md", "src/hooks/useX.ts"),
    *("src/agents/main.py", "bin/tool", "scripts/pipelines.yml", "config/config.toml", "src/in.py", "x.in"),
    *(".yarn/cache/x.txt", ".github/ISSUE_TEMPLATE/bug.md", ".github/dependabot.yml", ".gitlab/issue_templates/x.md"),
    *(
        ".github/CODEOWNERS",
        "docs/vendor/index.md",
        "src/vendors/list.py",
        "src/node_modules.ts",
        "env/prod.yml",
        ".gitignore",
        ".editorconfig",
        ".prettierrc",
        "src/environment/bin.ts",
    ),
)
EVERYDAY = (
    "source .venv/bin/activate && pytest",
    ".venv/bin/python -m pytest",
    "uv pip install --python .venv/bin/python -r requirements.txt",
    "cat azure-pipelines.yml",
    "ls node_modules/.bin",
    "node_modules/.bin/jest",
    "python -m venv .venv",
    "yamllint .drone.yml",
    "cat .githooks/pre-commit",
)


@pytest.mark.parametrize("file", RULES)
def test_a_rule_is_asked_about(file: str) -> None:
    for line in (f"echo x > {file}", f"cp x {file}", f"cat <<'E' > {file}\nx\nE", f"sed -i 's/a/b/' {file}"):
        assert Effect.CHANGES_PERMISSIONS in read_command(line, folder=FOLDER).effects, line
    assert read_act(Act.EDIT, "+x", file, FOLDER, "Edit").effects == (Effect.CHANGES_PERMISSIONS,)


@pytest.mark.parametrize("file", DOCUMENTS)
def test_a_document_is_not(file: str) -> None:
    reading = read_command(f"echo x >> {file}", folder=FOLDER)
    assert not is_dangerous(reading), reading
    assert not is_unknown(reading), reading
    assert read_act(Act.EDIT, "+x", file, FOLDER, "Edit").effects == (Effect.WRITES_IN_WORKSPACE,)


def test_what_the_project_s_own_folder_is_called_makes_no_rules() -> None:
    assert read_act(Act.EDIT, "+x", "a.py", "/home/me/.agents/shop", "Edit").effects == (Effect.WRITES_IN_WORKSPACE,)


@pytest.mark.parametrize("command", EVERYDAY)
def test_nobody_is_asked(command: str) -> None:
    reading = read_command(command, folder=FOLDER)
    assert not is_dangerous(reading), reading
    assert not is_unknown(reading), reading
