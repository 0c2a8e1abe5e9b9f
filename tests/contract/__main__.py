"""Writes docs/contract anew, after a change of the contract: `python -m tests.contract`."""

from pathlib import Path

from hub.io.api.documents import write

write(Path(__file__).resolve().parents[2] / "docs" / "contract", with_schemas=False)
