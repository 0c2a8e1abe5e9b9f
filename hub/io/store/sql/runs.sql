-- Executions, the steps of an episode, and the execution log.

-- name: add_execution
INSERT INTO executions (id, user_id, prediction_id, attempt, state, queued_at, ended_at, cost_microusd, tokens, channel, body)
SELECT CAST(:id AS TEXT), user_id, id, :attempt, :state, :queued_at, :ended_at, :cost_microusd, :tokens, :channel, :body
FROM predictions WHERE id = :prediction_id AND user_id = :user_id
ON CONFLICT DO NOTHING;

-- name: move_execution
UPDATE executions SET state = :state, ended_at = :ended_at, cost_microusd = :cost_microusd, tokens = :tokens, channel = :channel,
  body = :body
WHERE id = :id AND user_id = :user_id AND prediction_id = :prediction_id AND attempt = :attempt AND state = :expect_state;

-- name: execution_by_id
SELECT body FROM executions WHERE id = :id AND user_id = :user_id;

-- name: open_executions
SELECT body FROM executions
WHERE user_id = :user_id AND state IN ('queued', 'active')
ORDER BY queued_at, id LIMIT :limit;

-- name: executions_of
SELECT body FROM executions
WHERE prediction_id = :prediction_id AND user_id = :user_id
ORDER BY attempt;

-- name: add_step
INSERT INTO episode_steps (prediction_id, seq, user_id, kind, at, body)
SELECT id, (SELECT coalesce(max(seq), 0) + 1 FROM episode_steps WHERE prediction_id = :prediction_id), user_id, :kind, :at, :body
FROM predictions WHERE id = :prediction_id;

-- name: add_line
-- A card keeps its first :lines_max lines of progress; later ones are dropped.
INSERT INTO episode_steps (prediction_id, seq, user_id, kind, at, body)
SELECT id, (SELECT coalesce(max(seq), 0) + 1 FROM episode_steps WHERE prediction_id = :prediction_id), user_id, 'line', :at, :body
FROM predictions
WHERE id = :prediction_id
  AND (SELECT count(*) FROM episode_steps WHERE prediction_id = :prediction_id AND kind = 'line') < :lines_max;

-- name: steps_of
SELECT body FROM episode_steps
WHERE prediction_id = :prediction_id AND user_id = :user_id
ORDER BY seq LIMIT :limit;

-- name: write_log
INSERT INTO crosspoll_log (user_id, prediction_id, trigger_type, target_channel, prompt, cost_estimate, cost_microusd,
  blocked, block_reason, created_at)
SELECT :user_id, :prediction_id, :trigger_type, :target_channel, :prompt, :cost_estimate, :cost_microusd,
  :blocked, :block_reason, :created_at
WHERE CAST(:prediction_id AS TEXT) IS NULL
   OR EXISTS (SELECT 1 FROM predictions WHERE id = :prediction_id AND user_id = :user_id);

-- name: log_result
UPDATE crosspoll_log SET result = :result
WHERE id = (SELECT max(id) FROM crosspoll_log WHERE user_id = :user_id AND prediction_id = :prediction_id AND NOT blocked);

-- name: log_since
SELECT user_id, prediction_id, trigger_type, target_channel, prompt, cost_microusd, blocked, block_reason, created_at
FROM crosspoll_log
WHERE user_id = :user_id AND created_at >= :since
ORDER BY created_at, id LIMIT :limit;
