"""What an iPhone installs to trust our certificate: a configuration profile that holds it, and nothing else.

Safari hands a profile straight to Settings, where a bare certificate depends on what a version of it takes the download
for. Its names are made from the certificate, so that installing it again replaces what was there.
"""

import plistlib
import uuid
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes

VERSION: Final = 1
NAMED: Final = "app.pulse.certificate"


def profile_of(der: bytes) -> bytes:
    """Return the profile that carries this authority's certificate (DER), as XML that is not signed.

    The keys are those of Apple's Configuration Profile Reference: `com.apple.security.root` trusts nothing by itself,
    the person switches that on in Settings.
    """
    found = x509.load_der_x509_certificate(der)
    name = str(found.subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)[0].value)
    digest = found.fingerprint(hashes.SHA256())
    certificate = {
        "PayloadType": "com.apple.security.root",
        "PayloadContent": der,
        "PayloadCertificateFileName": "pulse.crt",
        "PayloadDescription": "Good for addresses of private networks only.",
        **_named(name, digest, "root"),
    }
    profile = {
        "PayloadType": "Configuration",
        "PayloadContent": [certificate],
        "PayloadDescription": "Lets this device trust Pulse on your own network. It changes nothing else.",
        **_named(name, digest, "profile"),
    }
    return plistlib.dumps(profile, fmt=plistlib.FMT_XML)


def _named(name: str, digest: bytes, part: str) -> dict[str, str | int]:
    seed = f"{digest.hex()}.{part}"
    return {
        "PayloadDisplayName": name,
        "PayloadIdentifier": f"{NAMED}.{digest.hex()[:16]}.{part}",
        "PayloadUUID": str(uuid.uuid5(uuid.NAMESPACE_OID, seed)).upper(),
        "PayloadVersion": VERSION,
    }
