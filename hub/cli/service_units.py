"""The units of the user service: Pulse itself, and the address of its page, which systemd holds while Pulse is away."""

import os
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

from hub.app.surfaces import settings_at
from hub.io.home.folder import Home
from hub.io.home.last_port import LastPort
from hub.io.http.errors import NoPortError
from hub.io.server.handed_sockets import PID
from hub.io.server.listening import IPV4, IPV6, PORT_DEFAULT, can_bind

MARK = "# Made by `pulse install`; `pulse uninstall` takes it away.\n"
SOCKET, SERVICE = NAMES = ("pulse.socket", "pulse.service")
"""The socket comes first: stopped second, a visit would start the service again."""
EXAMPLE, EXAMPLE_PORT = "%h/pulse/pulse up", f":{PORT_DEFAULT}\n"
"""What the units that come along say, for a checkout in `~/pulse`."""
LEFT_OUT = ("# Nothing switches", "Documentation=")
HERE_ALONE = (IPV4, IPV6, "localhost")
SYSTEMCTL_S_MAX = 30.0
WELL = 0


def place(name: str) -> Path:
    """Return where a unit of the person's own lies."""
    config = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(config) / "systemd" / "user" / name


def is_ours(path: Path) -> bool:
    """Return True if `pulse install` made this file."""
    return path.is_file() and MARK in path.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)[:2]


def page_port(home: Path) -> int:
    """Return the port that systemd is to hold for this home's Pulse, 0 where its page is not of this machine alone.

    It is the one that Pulse has; before its first start, the usual one.
    """
    api = settings_at(Home(home).config).api
    if api.host not in HERE_ALONE:
        return 0
    return api.port or LastPort(home).read() or PORT_DEFAULT


def texts(program: Path, workspaces: tuple[Path, ...], port: int) -> dict[str, str]:
    """Return each unit's text by its name, with the paths of this installation; no socket's where `port` is 0."""
    words = [str(program), "up", *(word for folder in workspaces for word in ("--workspace", str(folder.absolute())))]
    service = _shipped(SERVICE, *([] if port else [f"={SOCKET}"])).replace(EXAMPLE, " ".join(map(_quoted, words)))
    if not port:
        return {SERVICE: service}
    socket = _shipped(SOCKET, *([] if can_bind(IPV6, 0) else [f"[{IPV6}]"])).replace(EXAMPLE_PORT, f":{port}\n")
    return {SOCKET: socket, SERVICE: service}


def systemctl(*words: str) -> bool:
    """Call the person's own systemd; return True if it is there and says yes."""
    program = shutil.which("systemctl")
    if program is None:
        return False
    called = [program, "--user", *words]
    done = subprocess.run(called, capture_output=True, timeout=SYSTEMCTL_S_MAX, check=False)  # noqa: S603  systemd's own
    return done.returncode == WELL


def refuse_beside_service(home: Path) -> None:
    """Let nobody start by hand, at another address, what has its own held by systemd.

    Raises:
        NoPortError: pulse.socket is active, and this start was not handed its sockets.
    """
    unit = place(SOCKET)
    if PID in os.environ or not is_ours(unit):
        return
    is_its = f"{IPV4}:{page_port(home)}\n" in unit.read_text(encoding="utf-8")
    if is_its and systemctl("is-active", SOCKET):
        raise NoPortError(
            "This Pulse is a service: systemd holds its address (pulse.socket).",
            fix="Start it: systemctl --user start pulse. To start it here, first: systemctl --user stop pulse.socket",
        )


def _shipped(name: str, *without: str) -> str:
    """Return a unit that comes along, marked, without the lines that hold one of these."""
    plain = files("hub").joinpath("systemd", name.replace(".", "-user.")).read_text(encoding="utf-8")
    lines = plain.splitlines(keepends=True)
    return MARK + "".join(line for line in lines if not any(word in line for word in (*LEFT_OUT, *without)))


def _quoted(word: str) -> str:
    """Write a word of ExecStart so that systemd reads it as it is."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"' if set(word) & set(" \t\"'\\;") else escaped
