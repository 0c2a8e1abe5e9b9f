"""What the hub, the surfaces and the edge share: one way for each thing that all of them do."""
