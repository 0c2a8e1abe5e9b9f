"""Training a model on pairs: on this machine. What is heavy is imported in a process of its own, and only there."""
