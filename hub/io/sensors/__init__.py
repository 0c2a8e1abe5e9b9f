"""The sensors: they look and never act. `factory` makes them; how to write one: docs/howto/sensor.md."""
