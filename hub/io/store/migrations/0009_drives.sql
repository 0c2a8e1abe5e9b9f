-- When needs woke Pulse, or an agent, and what came of it; what was changed of the drives, a chain; and where their
-- pressure bent or jumped (hub/domain/drives.py).

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
CREATE INDEX idx_drive_mutations_id ON drive_mutations (user_id, id);
CREATE TABLE drive_samples (
  user_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (user_id, seq)
);
CREATE INDEX idx_drive_samples_at ON drive_samples (user_id, at DESC, seq DESC);
