-- The sessions of the world log, the lines that go out, and how far it was read.

-- name: put_session
INSERT INTO world_sessions (user_id, id, ended, owned, number, status, started_at, heard_at, body)
SELECT :user_id, :id, :ended, :owned, coalesce(max(number), 0) + 1, :status, :started_at, :heard_at, :body
FROM world_sessions WHERE user_id = :user_id AND ended = :ended AND owned = :owned
ON CONFLICT (user_id, id) DO UPDATE SET
  number = CASE
    WHEN world_sessions.ended = excluded.ended AND world_sessions.owned = excluded.owned THEN world_sessions.number
    ELSE excluded.number
  END,
  ended = excluded.ended, owned = excluded.owned, status = excluded.status,
  started_at = excluded.started_at, heard_at = excluded.heard_at, body = excluded.body;

-- name: drop_old_sessions
DELETE FROM world_sessions
WHERE user_id = :user_id AND ended = :ended AND owned = :owned AND number <= (
  SELECT max(number) FROM world_sessions WHERE user_id = :user_id AND ended = :ended AND owned = :owned
) - :kept;

-- name: sessions_in_status
SELECT heard_at, id, body FROM world_sessions
WHERE user_id = :user_id AND status = :status AND (heard_at, id) < (:heard_at, :id)
ORDER BY heard_at DESC, id DESC LIMIT :limit;

-- name: sessions_by_ids
SELECT id, body FROM world_sessions WHERE user_id = :user_id AND id IN (SELECT value FROM json_each(:ids));

-- name: sessions_ended_since
SELECT started_at, id, body FROM world_sessions
WHERE user_id = :user_id AND ended = 1 AND heard_at >= :since AND started_at < :until;

-- name: sessions_not_ended
SELECT started_at, id, body FROM world_sessions
WHERE user_id = :user_id AND ended = 0 AND started_at < :until;

-- name: add_world_line
INSERT INTO world_lines (user_id, seq, id, body)
SELECT :user_id, coalesce(max(seq), 0) + 1, :id, :body FROM world_lines WHERE user_id = :user_id
ON CONFLICT (user_id, id) DO NOTHING;

-- name: drop_old_world_lines
DELETE FROM world_lines
WHERE user_id = :user_id AND seq <= (SELECT max(seq) FROM world_lines WHERE user_id = :user_id) - :kept;

-- name: add_own_line
INSERT INTO world_own_lines (user_id, seq, digest, at)
SELECT :user_id, coalesce(max(seq), 0) + 1, :digest, :at FROM world_own_lines WHERE user_id = :user_id
ON CONFLICT (user_id, digest) DO NOTHING;

-- name: drop_old_own_lines
DELETE FROM world_own_lines
WHERE user_id = :user_id AND seq <= (SELECT max(seq) FROM world_own_lines WHERE user_id = :user_id) - :kept;

-- name: own_lines_since
SELECT at FROM world_own_lines WHERE user_id = :user_id ORDER BY seq LIMIT 1;

-- name: own_lines_among
SELECT digest FROM world_own_lines WHERE user_id = :user_id AND digest IN (SELECT value FROM json_each(:digests));

-- name: drop_world_lines
DELETE FROM world_lines WHERE user_id = :user_id AND id IN (SELECT value FROM json_each(:ids));

-- name: world_lines_out
SELECT body FROM world_lines WHERE user_id = :user_id ORDER BY seq LIMIT :limit;

-- name: put_world_place
INSERT INTO world_places (user_id, place, intake) VALUES (:user_id, :place, :intake)
ON CONFLICT (user_id) DO UPDATE SET place = excluded.place, intake = excluded.intake;

-- name: world_place
SELECT place, intake FROM world_places WHERE user_id = :user_id;
