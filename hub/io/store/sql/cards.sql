-- Cards (table predictions). `next_due_at` is when a pending card expires or wakes up, whichever comes first.

-- name: add_card
INSERT INTO predictions (id, user_id, prompt, target_agent, target_channel, confidence, reasoning, status, status_reason, source,
  created_at, confirmed_at, executed_at, version, expires_at, snoozed_until, next_due_at, card_hash, reason_key, signature,
  autonomous, settled_at, held, body)
VALUES (:id, :user_id, :prompt, :target_agent, :target_channel, :confidence, :reasoning, :status, :status_reason, :source,
  :created_at, :confirmed_at, :executed_at, :version, :expires_at, :snoozed_until, :next_due_at, :card_hash, :reason_key, :signature,
  :autonomous, :settled_at, :held, :body)
ON CONFLICT (id) DO NOTHING;

-- name: move_card
-- The compare-and-set that lets the first answer win. A card keeps the time of its creation: setting it here, even to
-- what it is, would write the index by that time anew.
UPDATE predictions SET prompt = :prompt, target_agent = :target_agent, target_channel = :target_channel,
  confidence = :confidence, reasoning = :reasoning, status = :status, status_reason = :status_reason, source = :source,
  confirmed_at = :confirmed_at,
  executed_at = CASE WHEN :status = 'executed' THEN coalesce(executed_at, :executed_at) END,
  version = :version, expires_at = :expires_at, snoozed_until = :snoozed_until, next_due_at = :next_due_at,
  card_hash = :card_hash, reason_key = :reason_key, signature = :signature,
  autonomous = :autonomous, settled_at = :settled_at, held = :held, body = :body
WHERE id = :id AND user_id = :user_id AND version = :expect_version AND status = :expect_status;

-- name: link_task
UPDATE predictions SET task_id = :task_id WHERE id = :prediction_id AND user_id = :user_id;

-- name: mark_executed
UPDATE predictions SET executed_at = :ended_at WHERE id = :prediction_id AND user_id = :user_id;

-- name: card_exists
SELECT 1 FROM predictions WHERE id = :prediction_id;

-- name: card_by_id
SELECT body FROM predictions WHERE id = :id AND user_id = :user_id;

-- name: open_cards
SELECT body FROM predictions
WHERE user_id = :user_id AND status = 'pending'
  AND (CAST(:channel AS TEXT) IS NULL OR target_channel = :channel)
  AND (:snoozed OR snoozed_until IS NULL OR snoozed_until <= :now)
ORDER BY created_at DESC, id DESC LIMIT :limit;

-- name: held_cards
SELECT body FROM predictions
WHERE user_id = :user_id AND held IS NOT NULL
ORDER BY created_at, id LIMIT :limit;

-- name: answered_asks
-- The terms are those of the index.
SELECT body FROM predictions
WHERE user_id = :user_id AND source = 'ask' AND (status IN ('confirmed', 'rejected') OR status_reason = 'overruled')
  AND NOT autonomous
ORDER BY settled_at DESC, id DESC LIMIT :limit;

-- name: asks_of
-- Looks through the :searched cards that ended last, so that it costs the same however much is stored.
SELECT body FROM predictions
WHERE user_id = :user_id AND status = 'pending' AND source = 'ask' AND signature = :client
UNION ALL
SELECT body FROM (
  SELECT body, source, signature FROM predictions
  WHERE user_id = :user_id AND status <> 'pending'
  ORDER BY settled_at DESC, id DESC LIMIT :searched) AS newest
WHERE source = 'ask' AND signature = :client;

-- name: count_open
SELECT count(*) FROM predictions WHERE user_id = :user_id AND status = 'pending';

-- name: open_asks
-- The signature of a question is whose it is.
SELECT signature FROM predictions
WHERE user_id = :user_id AND status = 'pending' AND source = 'ask';

-- name: due_cards
SELECT body FROM predictions
WHERE user_id = :user_id AND status = 'pending' AND next_due_at <= :now
ORDER BY next_due_at, id LIMIT :limit;

-- name: next_due
SELECT next_due_at FROM predictions
WHERE user_id = :user_id AND status = 'pending' AND next_due_at IS NOT NULL
ORDER BY next_due_at, id LIMIT 1;

-- name: recent_cards
SELECT body FROM predictions
WHERE user_id = :user_id AND created_at < :before
ORDER BY created_at DESC, id DESC LIMIT :limit;

-- name: recent_cards_of_status
SELECT body FROM predictions
WHERE user_id = :user_id AND status = :status AND created_at < :before
ORDER BY created_at DESC, id DESC LIMIT :limit;

-- name: search_cards
-- Looks through the newest :searched rows only, so that a search costs the same however much is stored.
SELECT body FROM (
  SELECT body, prompt, created_at, id FROM predictions
  WHERE user_id = :user_id AND created_at < :before
  ORDER BY created_at DESC, id DESC LIMIT :searched) AS newest
WHERE lower(prompt) LIKE lower(:pattern) ESCAPE '!'
ORDER BY created_at DESC, id DESC LIMIT :limit;

-- name: search_cards_of_status
SELECT body FROM (
  SELECT body, prompt, created_at, id FROM predictions
  WHERE user_id = :user_id AND status = :status AND created_at < :before
  ORDER BY created_at DESC, id DESC LIMIT :searched) AS newest
WHERE lower(prompt) LIKE lower(:pattern) ESCAPE '!'
ORDER BY created_at DESC, id DESC LIMIT :limit;

-- name: cards_since
SELECT body FROM predictions
WHERE user_id = :user_id AND created_at >= :since
ORDER BY created_at, id LIMIT :limit;
