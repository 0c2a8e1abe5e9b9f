"""When certificates end: of files that the settings name, and of those that lie in the workspaces.

A certificate is public, so that it may be read; keys beside it are not looked at. What lies below a folder of tests or
examples is there to be tried with, and tells of nobody's service.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

from hub.domain.provenance import RepositoryText
from hub.domain.readings import AnyReading, CertificateReading
from hub.domain.situation import SeenCertificate
from hub.io.sensors.bounded import head
from hub.io.sensors.guard import DiskSensor
from hub.io.sensors.tree import folders
from hub.kit.text import one_line

SUFFIXES = (".pem", ".crt", ".cer")
FILE_BYTES_MAX = 64 * 1024
FILES_MAX = 50
NAME_CHARS_MAX = 80
REREAD_AFTER = timedelta(hours=1)
FOR_TRIALS = frozenset({"test", "tests", "testing", "testdata", "fixtures", "examples", "example", "samples", "vendor"})
BEGIN = b"-----BEGIN CERTIFICATE-----"


class CertificateSensor(DiskSensor):
    """Reads them once an hour: nothing about them is sudden."""

    name = "certificates"
    read_s_max = 20.0

    def __init__(self, named: Sequence[Path], workspaces: Sequence[Path]) -> None:
        super().__init__()
        self._named = tuple(named)
        self._workspaces = tuple(workspaces)
        self._kept: tuple[datetime, CertificateReading] | None = None

    def look(self, now: datetime) -> AnyReading:
        """Tell of all that could be read; a file that is none says nothing."""
        if self._kept is None or abs(now - self._kept[0]) >= REREAD_AFTER:
            found = [*(_read(path, None) for path in self._named)]
            for workspace in self._workspaces:
                found += [_read(path, workspace) for path in islice(_lying_in(workspace), FILES_MAX)]
            self._kept = (now, CertificateReading(certificates=tuple(each for each in found if each is not None)))
        return self._kept[1]


def _lying_in(workspace: Path) -> Iterator[Path]:
    for folder, files in folders(workspace):
        if FOR_TRIALS.isdisjoint(part.lower() for part in Path(folder).relative_to(workspace).parts):
            yield from (Path(path) for path in files if path.lower().endswith(SUFFIXES))


def _read(path: Path, workspace: Path | None) -> SeenCertificate | None:
    from cryptography import x509  # noqa: PLC0415  most have no certificate, and the hub is to stay small

    try:
        raw = head(path, FILE_BYTES_MAX)
        loaded = x509.load_pem_x509_certificate(raw) if BEGIN in raw else x509.load_der_x509_certificate(raw)
        ends_at = loaded.not_valid_after_utc
    except (OSError, ValueError):
        return None
    return SeenCertificate(
        path=RepositoryText(str(path)),
        workspace=None if workspace is None else str(workspace),
        name=RepositoryText(one_line(path.name, NAME_CHARS_MAX)),
        ends_at=ends_at,
    )
