"""Apprise: what waits is told to any of its many services, by mail, SMS or chat. It only tells; nothing is answered."""
