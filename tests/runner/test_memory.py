"""While the code of the hub is loaded, no garbage is looked for; afterwards all is as it was."""

import gc

import pytest

from hub.app.memory import loading


@pytest.mark.slow
def test_what_is_loaded_is_never_looked_at_again() -> None:
    with loading():
        assert not gc.isenabled()
        loaded = [{"module": number} for number in range(10)]
    assert gc.isenabled()
    looked_at = {id(one) for one in gc.get_objects()}  # what is frozen is not among them
    assert not any(id(one) in looked_at for one in loaded)


def test_code_that_cannot_be_loaded_leaves_garbage_to_be_looked_for() -> None:
    with pytest.raises(ImportError), loading():
        raise ImportError
    assert gc.isenabled()
