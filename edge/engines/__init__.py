"""Ears and mouths: what turns sound into words and words into sound."""
