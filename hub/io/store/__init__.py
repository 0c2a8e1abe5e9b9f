"""The durable store on SQLite: `sqlite.open_store` opens it, `docs/storage.md` describes it."""
