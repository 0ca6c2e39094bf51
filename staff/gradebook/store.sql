CREATE TABLE roster (name TEXT, system TEXT, bytes BLOB);
CREATE TABLE student (id TEXT PRIMARY KEY, name TEXT, line INTEGER);
CREATE TABLE submission (
  source TEXT PRIMARY KEY, sha256 TEXT, size INTEGER, found TEXT, owners TEXT, stated TEXT, refused TEXT,
  family TEXT, number INTEGER, written TEXT
);
CREATE TABLE decision (source TEXT, column TEXT, value TEXT, PRIMARY KEY (source, column));
CREATE TABLE lab (sha256 TEXT PRIMARY KEY, bytes BLOB);
CREATE TABLE verdict (lab TEXT, function TEXT, digest TEXT, cases TEXT, PRIMARY KEY (lab, function, digest));
CREATE TABLE published (
  number INTEGER, student TEXT, state TEXT, sums TEXT, made_of TEXT, PRIMARY KEY (number, student)
);
CREATE TABLE log (id INTEGER PRIMARY KEY, at TEXT, who TEXT, kit TEXT, verb TEXT, what TEXT, old TEXT, new TEXT);
CREATE TRIGGER log_is_kept BEFORE UPDATE ON log BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END;
CREATE TRIGGER log_stays BEFORE DELETE ON log BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END;
PRAGMA user_version = 1;
