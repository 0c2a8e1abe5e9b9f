-- What the browser surface asks: figures by day, agents by channel, answers like this one, the latest settled cards.
-- The lines marked (json) fill new columns from the stored bodies; another database has another function for that.

ALTER TABLE predictions ADD COLUMN autonomous BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE predictions ADD COLUMN settled_at TEXT;
UPDATE predictions SET autonomous = json_extract(body, '$.autonomous'); -- (json)
UPDATE predictions SET settled_at = CASE
    WHEN json_extract(body, '$.settled_at') IS NULL AND status = 'expired' THEN expires_at -- (json)
    WHEN json_extract(body, '$.settled_at') IS NULL THEN created_at -- (json)
    ELSE substr(replace(json_extract(body, '$.settled_at'), 'Z', '.000000'), 1, 26) || 'Z' -- (json)
  END
  WHERE status <> 'pending';
CREATE INDEX idx_predictions_figures ON predictions (user_id, created_at, source, target_channel, status, autonomous, confidence);
CREATE INDEX idx_predictions_settled ON predictions (user_id, settled_at DESC, id DESC) WHERE status <> 'pending';
CREATE INDEX idx_predictions_reason ON predictions (user_id, reason_key, created_at DESC, id DESC)
  WHERE status IN ('confirmed', 'executed', 'failed', 'rejected') AND NOT autonomous;
CREATE INDEX idx_predictions_channel ON predictions (user_id, target_channel, created_at DESC, id DESC)
  WHERE status IN ('confirmed', 'executed', 'failed', 'rejected') AND NOT autonomous;

ALTER TABLE executions ADD COLUMN channel TEXT NOT NULL DEFAULT '';
UPDATE executions SET channel = json_extract(body, '$.channel'); -- (json)
-- What the agent itself reported; NULL where it said nothing.
ALTER TABLE executions ADD COLUMN tokens BIGINT;
CREATE INDEX idx_executions_figures ON executions (user_id, queued_at, channel, state, cost_microusd);
CREATE INDEX idx_executions_channel ON executions (user_id, channel, queued_at DESC, id DESC);

CREATE INDEX idx_crosspoll_log_blocked ON crosspoll_log (user_id, created_at) WHERE blocked;

-- `at` is when a delivery last changed, `sent_at` when it began; deliveries of before made no known noise.
ALTER TABLE deliveries ADD COLUMN loudness TEXT NOT NULL DEFAULT 'silent';
ALTER TABLE deliveries ADD COLUMN sent_at TEXT NOT NULL DEFAULT '';
UPDATE deliveries SET sent_at = at;
CREATE INDEX idx_deliveries_loud ON deliveries (user_id, sent_at) WHERE loudness IN ('notify', 'alert');
