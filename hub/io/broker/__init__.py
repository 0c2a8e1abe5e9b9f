"""The broker between hub and surfaces: which one is used, and the two that Pulse runs by itself."""
