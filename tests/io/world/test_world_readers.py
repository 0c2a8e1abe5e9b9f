"""Who has read how far: each reader has a place, and nobody can take them all."""

from pathlib import Path

import pytest

from hub.io.world.cursor import BEGINNING
from hub.io.world.readers import READERS_MAX, READERS_OF_ONE_MAX, TooManyReadersError, WorldReaders


@pytest.fixture
def readers(tmp_path: Path) -> WorldReaders:
    return WorldReaders(tmp_path / "world.log", tmp_path / "readers")


def test_one_token_makes_up_a_hundred_readers_and_no_more(readers: WorldReaders) -> None:
    for number in range(READERS_OF_ONE_MAX):
        readers.keep(f"r{number}@cli_1", BEGINNING)
    with pytest.raises(TooManyReadersError):
        readers.keep("one-more@cli_1", BEGINNING)
    readers.keep("r0@cli_1", BEGINNING)
    for other in ("r0@cli_2", "me"):
        readers.keep(other, BEGINNING)


@pytest.mark.slow
def test_a_thousand_readers_have_a_place(readers: WorldReaders) -> None:
    for number in range(READERS_MAX):
        readers.keep(f"r{number}", BEGINNING)
    with pytest.raises(TooManyReadersError, match="1000 readers"):
        readers.keep("one-more", BEGINNING)
