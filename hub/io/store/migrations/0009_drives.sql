-- When needs woke Pulse, or an agent, and what came of it; and what was changed of the drives, a chain (hub/domain/drives.py).

CREATE TABLE wakes (
  user_id TEXT NOT NULL,
  id TEXT NOT NULL,
  at TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (user_id, id)
);
CREATE INDEX idx_wakes_at ON wakes (user_id, at DESC, id DESC);
CREATE TABLE drive_mutations (
  user_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  at TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (user_id, seq)
);
