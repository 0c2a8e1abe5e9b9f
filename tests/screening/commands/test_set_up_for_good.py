"""What a subcommand sets up outside of its own work is asked: start-up files, hooks, a user's settings, the system."""

import pytest

from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"
ASKING = (
    "conda init",
    "conda init bash",
    "micromamba shell init",
    "pnpm setup",
    "volta setup",
    "opam init",
    "npx husky",
    "npx husky init",
    "npx husky install",
    "npm exec husky",
    "lefthook install",
    "npx lefthook install",
    "pre-commit install",
    "pre-commit install -f --hook-type pre-push",
    "nbstripout --install",
    "nbstripout --install --global",
    "dvc install",
    "mise use node@20",
    "mise settings set x y",
    "mise settings x y",
    "mise settings set trusted_config_paths /",
    "pip install --break-system-packages .",
    "python -m pip install --break-system-packages -r requirements.txt",
    "uv pip install --system -r requirements.txt",
    "pdm config x y",
    "hatch config set x y",
    *(f"aws configure set {key} x" for key in ("region", "output", "x.y")),
    "aws eks update-kubeconfig --name x",
    *(f"jj config {what}" for what in ("set --repo ui.pager x", "set --user x y", "edit --user", "unset --repo x")),
    *(
        f"kubectl config {what}"
        for what in ("use-context prod", "set-context x", "set-context --current --namespace=x")
    ),
    *(f"{tool} config x.y z" for tool in ("poetry", "bundle", "ng", "dvc", "composer", "flutter")),
    "poetry config --unset x.y",
    "bundle config set path src",
    "ng config -g cli.x y",
    "gcloud config set project x",
    "gcloud config configurations activate x",
    "hg config --edit",
    "acme config set x y",
    "mise set X=1",
    *(f"rustup {what}" for what in ("default nightly", "override set nightly", "toolchain link x /tmp/x")),
    *(
        f"git config {what}"
        for what in ("--global user.email x", "branch.main.remote evil", "set branch.x.remote evil")
    ),
    "git branch -u evil/x",
    "git branch --set-upstream-to=evil/x",
    *(
        f"echo x > {file}"
        for file in (".lefthook.toml", "lefthook.json", ".lefthook-local.toml", ".claude-plugin/a.json")
    ),
    "rye config --set x=y",
    "starship config x y",
)
SILENT = (
    "conda init --dry-run",
    "conda config --show",
    "conda activate x",
    "micromamba shell hook -s bash",
    "pnpm install",
    "volta list",
    "opam switch list",
    "husky --version",
    "lefthook run pre-commit",
    "lefthook validate",
    "pre-commit run -a",
    "nbstripout x.ipynb",
    "dvc repro",
    "mise ls",
    "mise run test",
    "mise settings",
    "mise settings get x",
    "pip install -e .",
    "pip install -r requirements.txt",
    "uv pip install -r requirements.txt",
    "pdm config",
    "pdm config python.use_venv",
    "pdm config --local venv.in_project true",
    "hatch config show",
    "rye config --show-path",
    "starship init bash",
    "poetry config virtualenvs.in-project true",
    *(f"{tool} config get x" for tool in ("jj", "poetry", "bundle", "ng", "npm", "acme")),
    *(f"{tool} config --list" for tool in ("jj", "poetry", "dvc", "flutter", "composer")),
    *(f"{tool} config x.y" for tool in ("poetry", "bundle", "ng", "hg", "composer")),
    "bundle config set --local path vendor/bundle",
    *(f"kubectl config {what}" for what in ("get-contexts", "current-context", "view")),
    *(f"git config {what}" for what in ("user.email x", "--global --list", "--global --get user.email")),
    "git config branch.main.remote origin",
    "git branch -u origin/main",
    "git branch --set-upstream-to origin/main",
    "rustup show",
    "aws configure list",
    "make config",
    "pytest config tests",
    "eslint config src",
    "./gradlew configure build",
    "echo x > docs/lefthook.md",
)


@pytest.mark.parametrize("command", ASKING)
def test_a_person_is_asked(command: str) -> None:
    reading = read_command(command, folder=FOLDER)
    assert is_dangerous(reading) or is_unknown(reading), reading


@pytest.mark.parametrize("command", SILENT)
def test_nobody_is_asked(command: str) -> None:
    reading = read_command(command, folder=FOLDER)
    assert not is_dangerous(reading), reading
    assert not is_unknown(reading), reading
