"""What runs on devices with a microphone; it knows the hub by its contract alone."""
