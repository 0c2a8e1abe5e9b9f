"""What became of a question that was answered elsewhere is told as a code beside its English."""

import pytest

from hub.io.api.permissions import ELSEWHERE, taken_back
from hub.kit.phrase_files import phrases
from hub.kit.wordings import worded


@pytest.mark.parametrize("how", sorted(ELSEWHERE))
def test_each_is_said_in_every_language(how: str) -> None:
    gone = taken_back("c1", "agent", how)
    assert worded(gone.why_worded, "", phrases("en")) == gone.why
    assert worded(gone.why_worded, "", phrases("de")) not in {"", gone.why}
