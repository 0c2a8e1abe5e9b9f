"""One MQTT link for all: the hub, the surfaces and the edge."""
