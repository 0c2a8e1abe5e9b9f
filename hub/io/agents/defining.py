"""Reading the files that say what runs, and their digests.

Only regular files count: a pipe that bears a Makefile's name would be waited for without end.
"""

import hashlib
import os
import shutil
import stat
from pathlib import Path

from hub.domain.plan import DefiningFile

DEFINING_BYTES_MAX = 1_048_576
PROGRAM_BYTES_MAX = 536_870_912
"""A program is hashed whole, for a change behind what was hashed would not be seen; a longer one has no digest."""
NAMED_FILES_MAX = 16
"""So many arguments of a command are looked at as files."""
CHUNK_BYTES = 1_048_576
GONE = hashlib.sha256(b"").hexdigest()
"""In place of the digest of a file that does not exist."""


def program_files(argv: tuple[str, ...], folder: Path) -> tuple[DefiningFile, ...]:
    """Return the program's own file (links followed) and every argument that names a file, with their digests."""
    program = os.path.realpath(argv[0])
    files = {program: Path(program)}
    for argument in argv[1 : NAMED_FILES_MAX + 1]:
        if argument and not argument.startswith("-") and "\0" not in argument:
            files.setdefault(argument, folder / argument)
    digests = ((name, program_digest(path)) for name, path in files.items())
    return tuple(DefiningFile(path=name, sha256=digest) for name, digest in digests if digest)


def find_program(name: str, search_path: str | None) -> str | None:
    """Return a program's full path; None if it does not exist or may not be executed."""
    if os.sep in name and not Path(name).is_absolute():
        return None
    return shutil.which(name, path=search_path)


def real(folder: Path) -> str:
    """Return a folder's own path, links followed."""
    return os.path.realpath(folder)


def kept_digest(path: Path) -> str:
    """Return the digest of what git would keep of a path: of a link where it points to, or `GONE`."""
    if path.is_symlink():
        return hashlib.sha256(os.fsencode(path.readlink())).hexdigest()
    return program_digest(path) if os.path.lexists(path) else GONE


def program_digest(path: Path) -> str:
    """Return the digest of a whole file of any length that a program has; empty for none, and for what is longer."""
    descriptor = _opened(path)
    if descriptor is None:
        return ""
    digest, left = hashlib.sha256(), PROGRAM_BYTES_MAX + 1
    with os.fdopen(descriptor, "rb") as file:
        try:
            while left > 0 and (chunk := file.read(min(CHUNK_BYTES, left))):
                digest.update(chunk)
                left -= len(chunk)
        except OSError:
            return ""
    return digest.hexdigest() if left > 0 else ""


def read_regular(path: Path, bytes_max: int) -> bytes | None:
    """Return the beginning of a regular file; None for what is none, or cannot be read."""
    descriptor = _opened(path)
    if descriptor is None:
        return None
    with os.fdopen(descriptor, "rb") as file:
        try:
            return file.read(bytes_max)
        except OSError:
            return None


def _opened(path: Path) -> int | None:
    """Open a regular file; what is none is neither waited for nor read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    return None
