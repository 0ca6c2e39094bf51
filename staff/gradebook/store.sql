CREATE TABLE IF NOT EXISTS roster (name TEXT, system TEXT, bytes BLOB);
CREATE TABLE IF NOT EXISTS student (id TEXT PRIMARY KEY, name TEXT, line INTEGER);
CREATE TRIGGER IF NOT EXISTS one_roster BEFORE INSERT ON roster BEGIN DELETE FROM roster; DELETE FROM student; END;
CREATE TABLE IF NOT EXISTS kept (what TEXT PRIMARY KEY, value TEXT);
CREATE TABLE IF NOT EXISTS submission (
  source TEXT PRIMARY KEY, sha256 TEXT, size INTEGER, found TEXT, owners TEXT, stated TEXT DEFAULT '', refused TEXT,
  family TEXT, number INTEGER, written TEXT DEFAULT '{}'
);
CREATE TABLE IF NOT EXISTS form (sha256 TEXT UNIQUE);
CREATE TABLE IF NOT EXISTS decision (source TEXT, column TEXT, value TEXT, PRIMARY KEY (source, column));
CREATE TABLE IF NOT EXISTS lab (sha256 TEXT PRIMARY KEY, bytes BLOB);
CREATE TABLE IF NOT EXISTS verdict (lab TEXT, function TEXT, digest TEXT, cases TEXT, PRIMARY KEY (lab, function, digest));
CREATE TABLE IF NOT EXISTS published (
  number INTEGER, student TEXT, state TEXT, sums TEXT, made_of TEXT, PRIMARY KEY (number, student)
);
CREATE TABLE IF NOT EXISTS frozen (file TEXT PRIMARY KEY, bytes BLOB);
CREATE TABLE IF NOT EXISTS log (
  id INTEGER PRIMARY KEY, at TEXT DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
  who TEXT, kit TEXT, verb TEXT, what TEXT, old TEXT, new TEXT
);
CREATE TRIGGER IF NOT EXISTS log_is_kept BEFORE UPDATE ON log
  BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END;
CREATE TRIGGER IF NOT EXISTS log_stays BEFORE DELETE ON log
  BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END;

CREATE TRIGGER IF NOT EXISTS log_is_not_replaced BEFORE INSERT ON log WHEN EXISTS (SELECT 1 FROM log WHERE id = NEW.id)
  BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END;

CREATE VIEW IF NOT EXISTS log_lines AS
  SELECT substr(at, 1, 10) || ' ' || substr(at, 12, 8) || ' UTC, ' || who || ', make ' || verb || ', kit ' || kit || ': ' || what
    || CASE WHEN old = '' AND new = '' THEN '' ELSE ': ' END || CASE old WHEN '' THEN '' ELSE old || ' -> ' END
    || CASE WHEN old != '' AND new = '' THEN 'nothing' ELSE new END AS line
  FROM log ORDER BY id;

-- What was handed in, as the kit found it and people decided; `student` is NULL if nobody has.
CREATE VIEW IF NOT EXISTS handed AS
  SELECT source, sha256, size, found, owners, family, number,
    max(value) FILTER (WHERE column = 'student') AS student,
    coalesce(max(value) FILTER (WHERE column = 'submitted'), stated) AS time,
    coalesce(max(value) FILTER (WHERE column = 'counts' AND value IS NOT 'maybe'), '') AS counts,
    coalesce(max(value) FILTER (WHERE column = 'state') = 'ready', refused = '') AS ready,
    coalesce(max(value) FILTER (WHERE column = 'reason'), refused) AS reason
  FROM submission LEFT JOIN decision USING (source) GROUP BY source;
