"""The note on a certificate, with and without a repository around it."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import Encoding

from hub.io.agents.playbook.runner import PlaybookRunner
from tests.io.agents.agent_work import Heard, job, run
from tests.io.sensors.test_certificates import certificate

NOW = datetime(2029, 12, 31, 9, tzinfo=UTC)


@pytest.mark.parametrize("encoding", [Encoding.PEM, Encoding.DER])
async def test_it_says_for_whom_by_whom_and_how_long(tmp_path: Path, encoding: Encoding) -> None:
    home, path = tmp_path / "home", tmp_path / "site one.pem"
    path.write_bytes(certificate(encoding))
    runner = PlaybookRunner(home, {"PATH": os.environ["PATH"], "HOME": str(home)}, lambda: NOW)
    done = await run(runner, job(playbook="show-certificate", workspace=None, args=(str(path),)), Heard())
    assert done.exit_code == 0, done.detail
    for words in ("CN=shop.example", "to 2030-01-16 14:00 UTC", "Renew it where it was issued"):
        assert words in done.output
    path.write_bytes(b"-----BEGIN nothing")
    broken = await run(runner, job(playbook="show-certificate", workspace=None, args=(str(path),)), Heard())
    assert "cannot be read" in broken.detail
    await runner.close()
