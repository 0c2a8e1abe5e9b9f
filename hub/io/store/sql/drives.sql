-- Wakes and the audit of mutations.

-- name: put_wake
INSERT INTO wakes (user_id, id, at, body) VALUES (:user_id, :id, :at, :body)
ON CONFLICT (user_id, id) DO UPDATE SET body = excluded.body;

-- name: wakes
SELECT body FROM wakes
WHERE user_id = :user_id AND at >= :since
ORDER BY at DESC, id DESC LIMIT :limit;

-- name: drop_old_wakes
DELETE FROM wakes
WHERE user_id = :user_id AND (at, id) <= (
  SELECT at, id FROM wakes WHERE user_id = :user_id ORDER BY at DESC, id DESC LIMIT 1 OFFSET :kept
);

-- name: wake_by_id
SELECT body FROM wakes WHERE user_id = :user_id AND id = :id;

-- name: add_mutation
INSERT INTO drive_mutations (user_id, seq, id, at, body)
SELECT :user_id, coalesce(max(seq), -1) + 1, :id, :at, :body FROM drive_mutations WHERE user_id = :user_id;

-- name: drive_mutations
SELECT body FROM drive_mutations
WHERE user_id = :user_id AND seq >= :first
ORDER BY seq LIMIT :limit;

-- name: add_drive_sample
INSERT INTO drive_samples (user_id, seq, at, body)
SELECT :user_id, coalesce(max(seq), 0) + 1, :at, :body FROM drive_samples WHERE user_id = :user_id;

-- name: drop_old_drive_samples
DELETE FROM drive_samples
WHERE user_id = :user_id AND seq <= (SELECT max(seq) FROM drive_samples WHERE user_id = :user_id) - :kept;

-- name: drive_samples
SELECT body FROM drive_samples
WHERE user_id = :user_id
  AND at >= coalesce((SELECT max(at) FROM drive_samples WHERE user_id = :user_id AND at < :since), :since)
ORDER BY at DESC, seq DESC LIMIT :limit;

-- name: mutations_from
SELECT body FROM drive_mutations
WHERE user_id = :user_id
  AND seq >= (SELECT seq FROM drive_mutations WHERE user_id = :user_id AND id = :id)
ORDER BY seq LIMIT :limit;

-- name: wakes_there
SELECT id FROM wakes WHERE user_id = :user_id AND id IN (SELECT value FROM json_each(:ids));

-- name: mutations_there
SELECT id FROM drive_mutations WHERE user_id = :user_id AND id IN (SELECT value FROM json_each(:ids));
