"""What coding agents say through their hooks, and what they are told."""
