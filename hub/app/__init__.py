"""The composition root: only here is known which surfaces there are, and how everything is wired."""
