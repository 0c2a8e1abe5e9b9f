"""The pure half of the voice: what was heard, what is said, and whose turn it is. No clock, no sound, no files."""
