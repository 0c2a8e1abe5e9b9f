"""Two words of CROSSPOLL that Pulse calls otherwise are still read."""

import pytest
from msgspec import ValidationError, json

from hub.contract.words import Source, Status


def test_older_names_are_read_as_what_they_mean() -> None:
    assert json.decode('"approved"', type=Status) is Status.CONFIRMED
    assert json.decode('"pulse-store"', type=Source) is Source.TEMPLATE
    assert json.encode([Status.CONFIRMED, Source.TEMPLATE]) == b'["confirmed","template"]'


@pytest.mark.parametrize("kind", [Status, Source])
def test_any_other_word_is_refused(kind: type[Status | Source]) -> None:
    with pytest.raises(ValidationError):
        json.decode('"approve"', type=kind)
