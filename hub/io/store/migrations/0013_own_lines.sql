-- Digests of the lines that Pulse itself wrote into the world log, so that a forged one is told from them.

CREATE TABLE world_own_lines (
  user_id TEXT NOT NULL,
  seq     BIGINT NOT NULL,
  digest  TEXT NOT NULL,
  at      TEXT NOT NULL,
  PRIMARY KEY (user_id, seq)
);
CREATE UNIQUE INDEX idx_world_own_lines_digest ON world_own_lines (user_id, digest);
