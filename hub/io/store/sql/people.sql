-- What belongs to a person beside the cards: mind, known reasons, what answers taught, what became of grants, tasks, devices,
-- deliveries, clients.

-- name: save_mind
INSERT INTO minds (user_id, body) VALUES (:user_id, :body)
ON CONFLICT (user_id) DO UPDATE SET body = excluded.body;

-- name: mind_of
SELECT body FROM minds WHERE user_id = :user_id;

-- name: remember
INSERT INTO known_reasons (user_id, key, signature, at) VALUES (:user_id, :key, :signature, :at)
ON CONFLICT (user_id, key) DO UPDATE SET signature = excluded.signature, at = excluded.at;

-- name: known_reasons
SELECT key, signature, at FROM known_reasons
WHERE user_id = :user_id
ORDER BY at DESC, key DESC LIMIT :limit;

-- name: put_task
INSERT INTO tasks (user_id, id, status, created_at, body) VALUES (:user_id, :id, :status, :created_at, :body)
ON CONFLICT (user_id, id) DO UPDATE SET status = excluded.status, created_at = excluded.created_at, body = excluded.body;

-- name: drop_task
DELETE FROM tasks WHERE user_id = :user_id AND id = :id;

-- name: tasks
SELECT body FROM tasks
WHERE user_id = :user_id
ORDER BY created_at DESC, id DESC LIMIT :limit;

-- name: open_tasks
SELECT body FROM tasks
WHERE user_id = :user_id AND status IN ('queued', 'running')
ORDER BY created_at DESC, id DESC LIMIT :limit;

-- name: task_by_id
SELECT body FROM tasks WHERE user_id = :user_id AND id = :id;

-- name: put_device
INSERT INTO devices (user_id, surface, device, body) VALUES (:user_id, :surface, :device, :body)
ON CONFLICT (user_id, surface, device) DO UPDATE SET body = excluded.body;

-- name: devices
SELECT body FROM devices WHERE user_id = :user_id ORDER BY surface, device;

-- name: put_delivery
-- `sent_at` stays what it was at first.
INSERT INTO deliveries (user_id, id, prediction_id, at, loudness, state, sent_at, body)
VALUES (:user_id, :id, :prediction_id, :at, :loudness, :state, :at, :body)
ON CONFLICT (user_id, id) DO UPDATE SET prediction_id = excluded.prediction_id, at = excluded.at,
  loudness = excluded.loudness, state = excluded.state, body = excluded.body;

-- name: deliveries_of
SELECT body FROM deliveries
WHERE user_id = :user_id AND prediction_id = :prediction_id
ORDER BY at, id;

-- name: delivery_by_id
SELECT body FROM deliveries WHERE user_id = :user_id AND id = :id;

-- name: put_client
INSERT INTO clients (user_id, id, body) VALUES (:user_id, :id, :body)
ON CONFLICT (user_id, id) DO UPDATE SET body = excluded.body;

-- name: clients
SELECT body FROM clients WHERE user_id = :user_id ORDER BY id;

-- name: put_taught
INSERT INTO taught (user_id, prediction_id, at, body) VALUES (:user_id, :prediction_id, :at, :body)
ON CONFLICT (user_id, prediction_id) DO UPDATE SET at = excluded.at, body = excluded.body;

-- name: taught_lately
SELECT body FROM taught
WHERE user_id = :user_id
ORDER BY at DESC, prediction_id DESC LIMIT :limit;

-- name: add_grant_event
INSERT INTO grant_events (user_id, seq, grant_id, at, body)
SELECT :user_id, coalesce(max(seq), 0) + 1, :grant_id, :at, :body FROM grant_events WHERE user_id = :user_id;

-- name: drop_old_grant_events
DELETE FROM grant_events
WHERE user_id = :user_id AND seq <= (SELECT max(seq) FROM grant_events WHERE user_id = :user_id) - :kept;

-- name: grant_events
SELECT body FROM grant_events
WHERE user_id = :user_id AND (:grant_id = '' OR grant_id = :grant_id)
ORDER BY seq DESC LIMIT :limit;
