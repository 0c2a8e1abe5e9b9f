"""A question of an agent's that another process puts to the hub: what the MCP server and the A2A server share."""
