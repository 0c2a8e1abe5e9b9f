"""Every limit of the content filter, in one place."""

MAX_SCREENED_CHARS = 16_384
"""A longer prompt is not screened but blocked; the API takes at most 4,000 characters."""

MAX_FOLD_MEMO_CHARS = 8_192
"""How many distinct characters the folding table remembers."""

MAX_QUOTED_CHARS = 2_000
"""A quoted span longer than this is read as unquoted text."""

MAX_ARGV_WORDS = 96
"""How many words after a program name are read as its arguments."""

MAX_NESTING = 3
"""How deep quoted text inside quoted text is read as a command of its own."""

MAX_ASSIGNMENTS = 32
"""How many shell variables are substituted."""

MAX_EXPANDED_CHARS = 4 * MAX_SCREENED_CHARS
"""A view that grows beyond this through substitution is cut."""

MAX_PHRASE_WORDS = 14
"""How many words after a verb are read as its object."""

MAX_TAIL_WORDS = 40
"""How many words after the object are read as its surroundings."""
