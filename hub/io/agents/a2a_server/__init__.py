"""The A2A server: another agent sends a message, a person answers it, and the task has the answer (ADR 80)."""
