"""One folder per surface: a pure `render` that knows its size budget, a tiny `send`, and the answers back."""
