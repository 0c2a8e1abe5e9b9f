"""Matrix: cards in a room with your bot, answered by reactions and by replies."""
