-- The sessions of the user's own that began, grew and used a tool within these times, in milliseconds of Unix time.
SELECT session.id, session.directory, session.time_created
FROM session
WHERE session.time_created >= :after
    AND session.time_updated >= :grown
    AND session.parent_id IS NULL
    AND EXISTS (
        SELECT 1
        FROM part
        WHERE part.session_id = session.id
            AND part.time_created <= :used
            AND json_extract(part.data, '$.type') = 'tool'
    )
ORDER BY session.time_updated DESC
LIMIT 64
