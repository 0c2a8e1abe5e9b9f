"""Real sound: devices, streams and what is mixed into them."""
