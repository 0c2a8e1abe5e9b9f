"""The file half of the world log: lines are appended, taken in once each, and answered for without reading it again."""
