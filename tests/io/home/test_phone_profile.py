"""The profile for iPhones: one certificate, nothing else, and the same each time."""

import plistlib
from pathlib import Path

from hub.io.home.certificate import authority_at


def test_it_holds_the_certificate_and_nothing_else_and_replaces_itself(tmp_path: Path) -> None:
    told = authority_at(tmp_path, "laptop", "192.168.1.5").told()
    profile = plistlib.loads(told.profile)
    assert (profile["PayloadType"], profile["PayloadDisplayName"]) == ("Configuration", "Pulse on laptop")
    (held,) = profile["PayloadContent"]
    assert (held["PayloadType"], held["PayloadContent"]) == ("com.apple.security.root", told.der)
    assert len({one[key] for one in (profile, held) for key in ("PayloadUUID", "PayloadIdentifier")}) == 4
    assert authority_at(tmp_path, "laptop", "192.168.1.5").told().profile == told.profile
    other = plistlib.loads(authority_at(tmp_path / "other", "laptop", "192.168.1.5").told().profile)
    assert other["PayloadIdentifier"] != profile["PayloadIdentifier"], "another Pulse does not replace this one"
