"""The live feed: each event to every client, who waits for an answer, and which pages a person can see."""
