-- Training pairs (table dpo_pairs, CROSSPOLL 9.1).

-- name: drop_pair_of
DELETE FROM dpo_pairs WHERE user_id = :user_id AND chosen_id = :chosen_id;

-- name: add_pair
INSERT INTO dpo_pairs (user_id, context, chosen, rejected, chosen_confidence, rejected_confidence, created_at,
  chosen_id, rejected_id, weight)
VALUES (:user_id, :context, :chosen, :rejected, :chosen_confidence, :rejected_confidence, :created_at,
  :chosen_id, :rejected_id, :weight);

-- name: drop_pairs
DELETE FROM dpo_pairs WHERE user_id = :user_id AND chosen_id = :card_id;

-- name: drop_pairs_against
DELETE FROM dpo_pairs WHERE user_id = :user_id AND rejected_id = :card_id;

-- name: mark_pairs_exported
UPDATE dpo_pairs SET exported_at = :at WHERE user_id = :user_id AND exported_at IS NULL AND id <= :through;

-- name: mark_chosen_exported
UPDATE predictions SET dpo_exported = TRUE WHERE user_id = :user_id AND id IN (
  SELECT chosen_id FROM dpo_pairs WHERE user_id = :user_id AND exported_at IS NULL AND id <= :through);

-- name: mark_rejected_exported
UPDATE predictions SET dpo_exported = TRUE WHERE user_id = :user_id AND id IN (
  SELECT rejected_id FROM dpo_pairs WHERE user_id = :user_id AND exported_at IS NULL AND id <= :through);

-- name: pairs_after
SELECT id, context, chosen, rejected, chosen_confidence, rejected_confidence, created_at, chosen_id, rejected_id, weight,
  exported_at
FROM dpo_pairs WHERE user_id = :user_id AND id > :after
ORDER BY id LIMIT :limit;

-- name: count_pairs
SELECT count(*), max(id) FROM dpo_pairs WHERE user_id = :user_id;

-- name: count_new_pairs
SELECT count(*), min(created_at) FROM dpo_pairs WHERE user_id = :user_id AND exported_at IS NULL;
