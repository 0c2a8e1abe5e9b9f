"""One gateway for all push services: a surface brings `render` and `send`, the rest is here."""
