"""What crosses a process or a device: messages, topics, the surface protocol, device profiles, codecs."""
