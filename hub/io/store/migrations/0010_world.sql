-- The sessions of the world log, the lines that are to stand in it, and how far it was read (hub/domain/world_log_state.py).
--
-- `number` counts the sessions of one kind (over or not, begun over the wire or by a line of the file) as they came to
-- be of it; so the oldest of a kind are found, and no flood of one kind makes another go.

CREATE TABLE world_sessions (
  user_id    TEXT NOT NULL,
  id         TEXT NOT NULL,
  ended      INTEGER NOT NULL,
  owned      INTEGER NOT NULL,
  number     BIGINT NOT NULL,
  status     TEXT NOT NULL,
  started_at TEXT NOT NULL,
  heard_at   TEXT NOT NULL,
  body       TEXT NOT NULL,
  PRIMARY KEY (user_id, id)
);
CREATE INDEX idx_world_sessions_kind ON world_sessions (user_id, ended, owned, number);
CREATE INDEX idx_world_sessions_status ON world_sessions (user_id, status, heard_at DESC, id DESC);
CREATE INDEX idx_world_sessions_lived ON world_sessions (user_id, ended, heard_at);

CREATE TABLE world_lines (
  user_id TEXT NOT NULL,
  seq     BIGINT NOT NULL,
  id      TEXT NOT NULL,
  body    TEXT NOT NULL,
  PRIMARY KEY (user_id, seq)
);
CREATE UNIQUE INDEX idx_world_lines_id ON world_lines (user_id, id);

-- `place` is named by PostgreSQL's type, as in the outbox.
CREATE TABLE world_places (
  user_id TEXT NOT NULL,
  place   BYTEA NOT NULL,
  intake  TEXT NOT NULL,
  PRIMARY KEY (user_id)
);
