-- What each card taught (hub/learn/yes): a yes or a no, with what was known when it was proposed. One row a card: its last word.
-- Cards that were answered before this was kept teach nothing: what was known then was not written down.

CREATE TABLE taught (
  user_id TEXT NOT NULL,
  prediction_id TEXT NOT NULL,
  at TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (user_id, prediction_id)
);
CREATE INDEX idx_taught_latest ON taught (user_id, at DESC, prediction_id DESC);
