"""Every limit of the reader of commands, in one place."""

COMMAND_CHARS_MAX = 8_192
"""A longer text is not read; it counts as unknown code."""

SEPARATORS_MAX = 256
"""More pipes, semicolons and ampersands than this are not read: the parser's time grows with their square."""

PROSE_CHARS_MAX = 65_536
"""Commands are looked for in so much of a prose text."""

SPANS_MAX = 64
"""So many commands are read in one prose text."""

TREE_DEPTH_MAX = 60
"""How deep a shell's syntax may nest."""

READING_DEPTH_MAX = 6
"""How deep commands within commands are read: `sudo sh -c "ssh host 'xargs rm'"` is four."""

CALLS_MAX = 400
"""So many program calls are judged in one text."""

CALLS_READ_MAX = 2_000
"""So many calls are judged in a text and in all that it has a shell read."""

WORD_CHARS_MAX = 4_096
"""A word that grows beyond this by its variables is cut."""

ALTERNATIVES_MAX = 64
"""So many values of the variables in one call are read, and so many of one variable."""

CONTENTS_MAX = 500
"""Of so many calls in one text it is told what they print; beyond, it may be anything."""

TASKS_MAX = 64
"""So many tasks of one call are taken by their names."""

PIECES_MAX = 200
"""So many parts of a file that the text writes are read as commands."""

BRACES_MAX = 64
"""So many words one pair of braces may become."""

DOUBT_CHARS_MAX = 80
"""Of a word that is not known so much is shown."""

EVIDENCE_MAX = 8
"""So many pieces of evidence are told."""

EVIDENCE_CHARS_MAX = 160
"""A longer piece is cut."""

PROGRAMS_REMEMBERED_MAX = 4_096
"""So many names of programs are remembered as known or not."""

SPAN_CHARS_MAX = 400
"""A command in the middle of prose is read so far."""
READINGS_KEPT_MAX = 64
"""What an agent asks is read for the gate, its card, its grants and each of the last answers: the same few commands."""
