"""Discord: suggestions as embeds, reactions as votes (CROSSPOLL 6.2 and Appendix A)."""
