-- What is read only to be shown: figures, the agents at present, answers like this one, whole episodes in pages.
-- Subqueries named `newest` bound how many rows are looked at.

-- name: cards_of_day
SELECT target_channel, status, autonomous, count(*) FROM (
  SELECT target_channel, status, autonomous FROM predictions
  WHERE user_id = :user_id AND created_at >= :since AND created_at < :until AND source <> 'ask'
  ORDER BY created_at DESC LIMIT :limit) AS newest
GROUP BY target_channel, status, autonomous
ORDER BY target_channel, status, autonomous;

-- name: cards_by_confidence
SELECT min(9, CAST(confidence * 10 AS INTEGER)) AS band, status, autonomous, count(*), sum(confidence) FROM (
  SELECT confidence, status, autonomous FROM predictions
  WHERE user_id = :user_id AND created_at >= :since AND created_at < :until AND source <> 'ask'
  ORDER BY created_at DESC LIMIT :limit) AS newest
GROUP BY band, status, autonomous
ORDER BY band, status, autonomous;

-- name: said_chances
SELECT coalesce(json_extract(body, '$.when_told.estimate.p'), json_extract(body, '$.proposal.likelihood.p')), status
FROM predictions
WHERE user_id = :user_id AND created_at >= :since AND created_at < :until AND source <> 'ask'
  AND status IN ('confirmed', 'executed', 'failed', 'rejected') AND NOT autonomous
  AND coalesce(json_extract(body, '$.when_told.estimate.is_learnt'), json_extract(body, '$.proposal.likelihood.is_learnt'))
  AND NOT coalesce(json_extract(body, '$.undone'), 0)
ORDER BY created_at DESC, id DESC LIMIT :limit;

-- name: runs_of_day
SELECT channel, state, count(*), sum(cost_microusd) FROM (
  SELECT channel, state, cost_microusd FROM executions
  WHERE user_id = :user_id AND queued_at >= :since AND queued_at < :until
  ORDER BY queued_at DESC LIMIT :limit) AS newest
GROUP BY channel, state
ORDER BY channel, state;

-- name: blocked_of_day
SELECT count(*) FROM (
  SELECT 1 FROM crosspoll_log
  WHERE user_id = :user_id AND created_at >= :since AND created_at < :until AND blocked
  LIMIT :limit) AS newest;

-- name: settled_cards
SELECT body FROM predictions
WHERE user_id = :user_id AND status <> 'pending'
ORDER BY settled_at DESC, id DESC LIMIT :limit;

-- name: answered_of_reason
SELECT body FROM predictions
WHERE user_id = :user_id AND reason_key = :reason_key
  AND status IN ('confirmed', 'executed', 'failed', 'rejected') AND NOT autonomous
ORDER BY created_at DESC, id DESC LIMIT :limit;

-- name: answered_of_channel
SELECT body FROM predictions
WHERE user_id = :user_id AND target_channel = :channel
  AND status IN ('confirmed', 'executed', 'failed', 'rejected') AND NOT autonomous
ORDER BY created_at DESC, id DESC LIMIT :limit;

-- name: last_run_of_channel
SELECT body FROM executions
WHERE user_id = :user_id AND channel = :channel
ORDER BY queued_at DESC, id DESC LIMIT 1;

-- name: runs_of_channel
SELECT count(*), coalesce(sum(cost_microusd), 0), sum(tokens) FROM executions
WHERE user_id = :user_id AND channel = :channel AND queued_at >= :since;

-- name: last_line
SELECT body FROM episode_steps
WHERE prediction_id = :prediction_id AND user_id = :user_id AND kind = 'line'
ORDER BY seq DESC LIMIT 1;

-- name: cards_after
SELECT body FROM predictions
WHERE user_id = :user_id AND (created_at, id) > (:at, :id)
ORDER BY created_at, id LIMIT :limit;
