-- Whether a delivery arrived stands in a column, so that what made no noise is not counted as an interruption.

ALTER TABLE deliveries ADD COLUMN state TEXT NOT NULL DEFAULT 'queued';
UPDATE deliveries SET state = json_extract(body, '$.state');
