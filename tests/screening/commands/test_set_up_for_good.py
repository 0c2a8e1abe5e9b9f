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
