"""Any agent that speaks the Agent Client Protocol (ACP, version 1), run by Pulse, which is its only client.

`conversation` is the protocol and nothing else: lines in, what to say and what follows out. `wanted` reads what the
agent asks leave for, `answers` its forms, `progress` what it tells. `runner` holds them together. docs/adr/0077.
"""
