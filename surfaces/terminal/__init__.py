"""The terminal surface: `pulse watch`."""
