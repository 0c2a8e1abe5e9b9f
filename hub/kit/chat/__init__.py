"""What every chat does, once: cards as messages, choices below, who may answer. Each chat brings a service."""
