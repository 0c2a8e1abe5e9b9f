"""Certificates for the stand-in, made once."""

import pytest

from tests.surfaces.apns.standin.certs import Certificates


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return Certificates(tmp_path_factory.mktemp("apns"))
