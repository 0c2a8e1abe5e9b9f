"""The values handed from room to room, one file per stretch of the loop.

In loop order: `readings`, `situation`, `policy`, `suggestion`, `judgement`, `delivery`, `execution`, `episode`, `mind`;
`card_states` is the table of a suggestion's moves.
"""
