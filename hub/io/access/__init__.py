"""Who may do what: tokens, proofs of a browser's key, one-time codes, asking again, passkeys."""
