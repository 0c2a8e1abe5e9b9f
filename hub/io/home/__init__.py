"""This machine as Pulse finds it: its folder of state, its keys, its clock, and whether runs may begin."""
