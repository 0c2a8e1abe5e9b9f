"""No text makes the reader try all ways to match it, or put together more than it reads."""

import time

import pytest

from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"
SECONDS_MAX = 2.0


def _doubled(first: str, line: str, times: int = 40) -> str:
    return first + "".join(line.format(new=f"x{at}", old=f"x{at - 1}") for at in range(1, times))


ASKING = (
    "sed 's/" + "[[:" * 600 + "/b/' x",
    "sed 's/" + "[[:a:]" * 300 + "/b/' x",
    "sed 's/[" + "[:" * 900 + "/b/' x",
    "sed 's/[" + "[..]" * 500 + "/b/' x",
    "sed '/" + "[" * 4000 + "/d' x",
    "sed '/[" + "a[" * 2000 + "/d' x",
    "sed 's/[a/b/' x",
    "sed 's/[]/b/' x",
    "sed 's/[[:a:]/b/' x",
    "node -e '" + _doubled('var x0="aaaaaaaaaaaaa";', "var {new}={old}+{old};") + "fetch(x39)'",
    "node -e '" + _doubled('var x0="aaaaaaaaaaaaa";', "var {new}={old}+{old};") + "console.log(x39)'",
    "python -c 'x=\"" + "a" * 3900 + '"\nopen(' + "x+" * 200 + "x)'",
    "python -c 'import os\nx=\"" + "a" * 3900 + '"\nopen(os.path.join(' + "x," * 200 + "x))'",
)
SILENT = (
    "sed 's/[[:space:]]*$//' x",
    "sed -n '/[/]/p' x",
    "sed 's/[^]/]*/b/' x",
    "sed 's/[]a]/b/;s/[[:alpha:]_][[:alnum:]_]*/c/g' x",
    "sed -E 's/[.]|[[=a=]]|[[.-.]]/d/' x",
    "sed 's/a[0-9]*$/b/' x",
    'node -e \'const a = "b" + "/c"; console.log(a)\'',
    'node -e \'const a = "src", b = a + "/x.js"; console.log(require("fs").readFileSync(b, "utf8"))\'',
    'python -c \'x = "src" + "/x.py"\nprint(open(x).read())\'',
)


@pytest.mark.parametrize("line", ASKING, ids=lambda line: line[:40])
def test_a_text_that_grows_or_never_ends_is_asked_about_at_once(line: str) -> None:
    start = time.process_time()
    reading = read_command(line, folder=FOLDER)
    assert time.process_time() - start < SECONDS_MAX
    assert is_dangerous(reading) or is_unknown(reading), reading


@pytest.mark.parametrize("line", SILENT)
def test_texts_of_the_same_shape_that_end_are_silent(line: str) -> None:
    reading = read_command(line, folder=FOLDER)
    assert not is_dangerous(reading), reading
    assert not is_unknown(reading), reading
