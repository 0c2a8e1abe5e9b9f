"""What would this text or command do, and how sure are we?

``screen(text)`` answers for a prompt, ``screen_command(text)`` for what is run as a command: block, ask or pass, with
the effects, how sure it is and the words that spoke; ``screen_argv`` for a command some of whose words are data. It
stands beside a channel list and tool lists, never alone.
"""

from hub.screening.screening import Outcome, Screening, screen, screen_argv, screen_command

__all__ = ["Outcome", "Screening", "screen", "screen_argv", "screen_command"]
