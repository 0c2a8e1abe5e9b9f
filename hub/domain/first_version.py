"""What becomes of a folder that is made a repository: what is left out of its first version, and how that is said."""

MAKE_REPOSITORY = "make-repository"
"""The playbook that makes a folder a repository with a first commit, and the kind of its card."""
UNMAKE_REPOSITORY = "unmake-repository"
"""The playbook that takes such a repository away again, while nothing but its first commit is in it."""
LARGE_MEDIA = ("*.mov", "*.mp4", "*.avi", "*.mkv", "*.wav", "*.aif", "*.aiff", "*.zip", "*.dmg", "*.iso")
LARGE_MEDIA_ENDINGS = tuple(pattern[1:] for pattern in LARGE_MEDIA)
BY_TOOLS = (".DS_Store", "Thumbs.db", "desktop.ini", "~$*", "*.tmp", "*.swp", ".Trash*/", "node_modules/", ".venv/")
PRIVATE_WORDS = ("secret", "credential", "password")
"""A file with one of these in its name may hold secrets. Not "token": a designer's are colours and sizes."""
PRIVATE = (
    ".env*",
    *(glob for word in PRIVATE_WORDS for glob in (f"*[{word[0].upper()}{word[0]}]{word[1:]}*", f"*{word.upper()}*")),
    *("*.pem", "*.p12", "*.pfx", "*.kdbx", "id_rsa*", "id_ecdsa*", "id_ed25519*"),
)
"""Git tells upper from lower case, so each word stands here in its usual spellings. A `*.key` is a presentation."""
IGNORED = "\n".join(
    (
        "# Large media: history keeps every version of a file.",
        *LARGE_MEDIA,
        "# By-products of programs.",
        *BY_TOOLS,
        "# What may be secret.",
        *PRIVATE,
        "",
    )
)
"""The `.gitignore` that is written where there is none."""
FIRST_MESSAGE = "The folder as it is"
