-- The first schema: CROSSPOLL 9.1, extended by what the design needs.
--
-- Written to run on SQLite and, but for the three lines marked (serial), on PostgreSQL too:
--   * times are text, 'YYYY-MM-DDTHH:MM:SS.ffffffZ' in UTC, of one width, so that they sort as they are;
--   * money is whole micro-dollars;
--   * `body` is the whole value as JSON and the truth on reading; the columns beside it are for finding and for SQL.

CREATE TABLE predictions (
  id             TEXT PRIMARY KEY,
  user_id        TEXT NOT NULL,
  prompt         TEXT NOT NULL,
  target_agent   TEXT NOT NULL DEFAULT 'main',
  target_channel TEXT NOT NULL,
  confidence     DOUBLE PRECISION NOT NULL CHECK (confidence >= 0 AND confidence <= 1),
  reasoning      TEXT NOT NULL,
  status         TEXT NOT NULL DEFAULT 'pending'
                 CHECK (status IN ('pending', 'confirmed', 'rejected', 'expired', 'cancelled', 'executed', 'failed')),
  source         TEXT NOT NULL DEFAULT 'template'
                 CHECK (source IN ('twin-model', 'template', 'predictor-hook', 'ask')),
  created_at     TEXT NOT NULL,
  confirmed_at   TEXT,
  executed_at    TEXT,
  task_id        TEXT,
  dpo_exported   BOOLEAN NOT NULL DEFAULT FALSE,
  version        INTEGER NOT NULL,
  expires_at     TEXT NOT NULL,
  snoozed_until  TEXT,
  next_due_at    TEXT,
  card_hash      TEXT NOT NULL,
  reason_key     TEXT NOT NULL,
  signature      TEXT NOT NULL,
  body           TEXT NOT NULL
);
CREATE INDEX idx_predictions_user ON predictions (user_id, created_at DESC, id DESC);
CREATE INDEX idx_predictions_status ON predictions (user_id, status, created_at DESC, id DESC);
CREATE INDEX idx_predictions_due ON predictions (user_id, next_due_at, id) WHERE status = 'pending';

CREATE TABLE executions (
  id            TEXT PRIMARY KEY,
  user_id       TEXT NOT NULL,
  prediction_id TEXT NOT NULL REFERENCES predictions (id),
  attempt       INTEGER NOT NULL,
  state         TEXT NOT NULL
                CHECK (state IN ('queued', 'active', 'finished', 'verified', 'failed', 'interrupted', 'stopped')),
  queued_at     TEXT NOT NULL,
  ended_at      TEXT,
  cost_microusd BIGINT NOT NULL,
  body          TEXT NOT NULL,
  UNIQUE (prediction_id, attempt)
);
CREATE INDEX idx_executions_open ON executions (user_id, queued_at, id) WHERE state IN ('queued', 'active');

CREATE TABLE episode_steps (
  prediction_id TEXT NOT NULL REFERENCES predictions (id),
  seq           INTEGER NOT NULL,
  user_id       TEXT NOT NULL,
  kind          TEXT NOT NULL,
  at            TEXT NOT NULL,
  body          TEXT NOT NULL,
  PRIMARY KEY (prediction_id, seq)
);
CREATE INDEX idx_steps_lines ON episode_steps (prediction_id, kind) WHERE kind = 'line';

CREATE TABLE crosspoll_log (
  id             INTEGER PRIMARY KEY, -- (serial)
  user_id        TEXT NOT NULL,
  prediction_id  TEXT REFERENCES predictions (id),
  trigger_type   TEXT NOT NULL CHECK (trigger_type IN ('manual', 'autonomous', 'cron')),
  target_channel TEXT NOT NULL,
  prompt         TEXT NOT NULL,
  result         TEXT,
  cost_estimate  DOUBLE PRECISION NOT NULL DEFAULT 0.05,
  cost_microusd  BIGINT NOT NULL DEFAULT 50000,
  blocked        BOOLEAN NOT NULL DEFAULT FALSE,
  block_reason   TEXT NOT NULL DEFAULT '',
  created_at     TEXT NOT NULL
);
CREATE INDEX idx_crosspoll_log_user ON crosspoll_log (user_id, created_at DESC, id DESC);

CREATE TABLE dpo_pairs (
  id                  INTEGER PRIMARY KEY, -- (serial)
  user_id             TEXT NOT NULL,
  context             TEXT NOT NULL,
  chosen              TEXT NOT NULL,
  rejected            TEXT NOT NULL,
  chosen_confidence   DOUBLE PRECISION,
  rejected_confidence DOUBLE PRECISION,
  created_at          TEXT NOT NULL,
  exported_at         TEXT
);
CREATE INDEX idx_dpo_exported ON dpo_pairs (user_id, created_at) WHERE exported_at IS NULL;

CREATE TABLE tasks (
  user_id    TEXT NOT NULL,
  id         TEXT NOT NULL,
  status     TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
  created_at TEXT NOT NULL,
  body       TEXT NOT NULL,
  PRIMARY KEY (user_id, id)
);
CREATE INDEX idx_tasks_user ON tasks (user_id, created_at DESC, id DESC);
CREATE INDEX idx_tasks_open ON tasks (user_id, created_at DESC, id DESC) WHERE status IN ('queued', 'running');

CREATE TABLE devices (
  user_id TEXT NOT NULL,
  surface TEXT NOT NULL,
  device  TEXT NOT NULL,
  body    TEXT NOT NULL,
  PRIMARY KEY (user_id, surface, device)
);

CREATE TABLE deliveries (
  user_id       TEXT NOT NULL,
  id            TEXT NOT NULL,
  prediction_id TEXT NOT NULL,
  at            TEXT NOT NULL,
  body          TEXT NOT NULL,
  PRIMARY KEY (user_id, id)
);
CREATE INDEX idx_deliveries_card ON deliveries (user_id, prediction_id, at, id);

CREATE TABLE clients (
  user_id TEXT NOT NULL,
  id      TEXT NOT NULL,
  body    TEXT NOT NULL,
  PRIMARY KEY (user_id, id)
);

-- `payload` is named by PostgreSQL's type; SQLite keeps bytes as bytes under any type name.
CREATE TABLE outbox (
  seq           INTEGER PRIMARY KEY, -- (serial)
  id            TEXT NOT NULL UNIQUE,
  user_id       TEXT NOT NULL,
  topic         TEXT NOT NULL,
  payload       BYTEA NOT NULL,
  retain        BOOLEAN NOT NULL,
  wants_receipt BOOLEAN NOT NULL,
  expires_at    TEXT,
  leased_until  TEXT NOT NULL,
  claims        INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX idx_outbox_lease ON outbox (leased_until, seq);
CREATE INDEX idx_outbox_expiry ON outbox (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE minds (
  user_id TEXT PRIMARY KEY,
  body    TEXT NOT NULL
);

CREATE TABLE known_reasons (
  user_id   TEXT NOT NULL,
  key       TEXT NOT NULL,
  signature TEXT NOT NULL,
  at        TEXT NOT NULL,
  PRIMARY KEY (user_id, key)
);
CREATE INDEX idx_known_reasons_at ON known_reasons (user_id, at DESC, key DESC);

CREATE TABLE meta (
  user_id TEXT NOT NULL,
  key     TEXT NOT NULL,
  value   TEXT NOT NULL,
  PRIMARY KEY (user_id, key)
);
