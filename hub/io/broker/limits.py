"""What a broker of ours lets through at most, whichever program it is."""

MESSAGE_BYTES_MAX = 256 * 1024
PACKET_BYTES_MAX = MESSAGE_BYTES_MAX + 65_535 + 16
"""The largest message with the longest topic and its headers. A larger packet ends its connection, which the sender
notices; to acknowledge the message and throw it away would not be noticed."""
CONNECTIONS_MAX = 10_000
"""Strangers included: nobody has logged in before the login is read."""
LOGIN_TIMEOUT_S = 2
"""A connection that has not logged in by then is closed."""
