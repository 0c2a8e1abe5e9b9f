"""Home Assistant: notifications with buttons on phones and watches, questions by voice, and entities over MQTT."""
