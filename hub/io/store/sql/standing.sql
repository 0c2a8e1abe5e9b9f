-- What a start believes at its first reading, of all people: whose, which, and what it says.

-- name: standing_cards
SELECT user_id, id, body FROM predictions WHERE status = 'pending'
UNION ALL
SELECT user_id, id, body FROM predictions WHERE held IS NOT NULL;

-- name: standing_clients
SELECT user_id, id, body FROM clients;

-- name: standing_devices
SELECT user_id, surface, device, body FROM devices;

-- name: standing_minds
SELECT user_id, '', body FROM minds;

-- name: standing_executions
SELECT user_id, id, body FROM executions WHERE state IN ('queued', 'active');

-- name: standing_sessions
SELECT user_id, id, body FROM world_sessions
WHERE user_id IN (SELECT user_id FROM minds) AND status IN ('start', 'active', 'finish', 'retry', 'failed');
