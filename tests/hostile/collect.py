"""All trials: every module in `trials/` has a `TRIAL`."""

import importlib
from pathlib import Path

from tests.hostile.trial import Trial

FOLDER = Path(__file__).parent / "trials"


def trials() -> tuple[Trial, ...]:
    """Return every trial, by name."""
    names = sorted(path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("_"))
    found = [importlib.import_module(f"tests.hostile.trials.{name}").TRIAL for name in names]
    return tuple(one for one in found if isinstance(one, Trial))
