-- Each process that opens the store makes these views, and they end with the process.  So a corrected view reaches every
-- store.

CREATE TEMP VIEW log_lines AS
  SELECT substr(at, 1, 10) || ' ' || substr(at, 12, 8) || ' UTC, ' || who || ', make ' || verb || ', kit ' || kit || ': ' || what
    || CASE WHEN old = '' AND new = '' THEN '' ELSE ': ' END || CASE old WHEN '' THEN '' ELSE old || ' -> ' END
    || CASE WHEN old != '' AND new = '' THEN 'nothing' ELSE new END AS line
  FROM log ORDER BY id;

-- Each file that was handed in: what the kit found, and what people decided.  A decision that nobody has made is NULL.
CREATE TEMP VIEW handed AS
  SELECT source, sha256, size, found, owners, family, number, stated, refused,
    max(value) FILTER (WHERE column = 'student') AS student,
    max(value) FILTER (WHERE column = 'submitted') AS submitted,
    max(value) FILTER (WHERE column = 'counts' AND value IS NOT 'maybe') AS counts,
    max(value) FILTER (WHERE column = 'state') AS state,
    max(value) FILTER (WHERE column = 'reason') AS reason,
    max(value) FILTER (WHERE column = 'note') AS note
  FROM submission LEFT JOIN decision USING (source) GROUP BY source;

-- What the log last said about each decision that people write into course.yaml, into the cases or into hand.csv.
CREATE TEMP VIEW last_logged AS SELECT what, new FROM log WHERE id IN (
    SELECT max(id) FROM log WHERE what LIKE 'void of %' OR what LIKE 'by hand, %' OR what LIKE 'extension of %'
        OR what LIKE 'excused, %' OR what LIKE 'left, %' OR what IN ('the late rule', 'which file counts') GROUP BY what
);
