-- What became of each grant that a person gave an agent: made, used, ended (hub/domain/permission_grant.py), the latest by number.
-- And what a person answered to agents, newest first: a grant is shown against it before it is given.

CREATE TABLE grant_events (
  user_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  grant_id TEXT NOT NULL,
  at TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (user_id, seq)
);
CREATE INDEX idx_predictions_answered_asks ON predictions (user_id, settled_at DESC, id DESC)
  WHERE source = 'ask' AND status IN ('confirmed', 'rejected') AND NOT autonomous;
