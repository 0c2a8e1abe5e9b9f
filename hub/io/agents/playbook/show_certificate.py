"""Writes down what a certificate is for, who issued it and when it ends, so that it can be renewed."""

from pathlib import Path

from hub.contract.words import Risk
from hub.domain.execution import RunResult, not_started
from hub.domain.provenance import say
from hub.io.agents.defining import read_regular
from hub.io.agents.playbook.shape import Playbook
from hub.io.agents.playbook.workplace import Workplace, file_name

SHOW_CERTIFICATE = "show-certificate"
FILE_BYTES_MAX = 64 * 1024
NONE = say("This certificate no longer exists, or cannot be read.")


async def show(place: Workplace) -> RunResult:
    """Read the file that the work names, and write the note; `args` is its path."""
    from cryptography import x509  # noqa: PLC0415  few certificates end, and the hub is to stay small

    path = Path(place.job.args[0]) if place.job.args else None
    raw = None if path is None else read_regular(path, FILE_BYTES_MAX)
    if path is None or raw is None:
        return not_started(NONE)
    try:
        found = x509.load_pem_x509_certificate(raw) if b"-----BEGIN" in raw else x509.load_der_x509_certificate(raw)
        names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        hosts = ", ".join(str(name.value) for name in names)
    except x509.ExtensionNotFound:
        hosts = ""
    except ValueError:
        return not_started(NONE)
    place.say(f"Reading {path.name}")
    lines = (
        f"- file: `{path}`",
        f"- for: {hosts or found.subject.rfc4514_string()}",
        f"- issued by: {found.issuer.rfc4514_string()}",
        f"- holds from {found.not_valid_before_utc:%Y-%m-%d %H:%M} to {found.not_valid_after_utc:%Y-%m-%d %H:%M} UTC",
        "",
        "Renew it where it was issued, put the new file in its place, and restart what serves it.",
    )
    return place.note(f"The certificate {path.name}", lines, topic=f"certificate-{file_name(path.stem)}")


PLAYBOOK = Playbook(
    name=SHOW_CERTIFICATE,
    description="Write a note on a certificate: what it is for, who issued it, when it ends.",
    risk=Risk.LOW,
    needs="the certificate's file",
    work=show,
)
