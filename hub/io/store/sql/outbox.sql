-- The outbox: messages that follow from a change and wait until they are known to have arrived.

-- name: send
INSERT INTO outbox (id, user_id, topic, payload, retain, wants_receipt, expires_at, leased_until)
VALUES (:id, :user_id, :topic, :payload, :retain, :wants_receipt, :expires_at, :leased_until)
ON CONFLICT (id) DO NOTHING;

-- name: retire
DELETE FROM outbox WHERE id = :id;

-- name: drop_expired
DELETE FROM outbox WHERE expires_at <= :now;

-- name: claimable
-- The lease that ran out longest ago comes first, so a message that nobody receipts cannot hold up the others.
SELECT claims, id, topic, payload, retain, wants_receipt, expires_at FROM outbox
WHERE leased_until <= :now
ORDER BY leased_until, seq LIMIT :limit;

-- name: lease
UPDATE outbox SET leased_until = :leased_until, claims = claims + 1 WHERE id = :id;

-- name: hasten
UPDATE outbox SET leased_until = :at, claims = 0 WHERE topic = :topic AND leased_until > :at;

-- name: outbox_depth
SELECT count(*) FROM outbox;
