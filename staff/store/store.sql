-- The tables of a store, in numbered steps.  The user_version of a store says how many steps it has taken.  A command that
-- writes takes the other steps.  A step never changes, because some store may have taken it: add a new step.

-- step 1: the tables that a store from before the steps has too
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

-- step 2: drop the views, because views.sql makes them for each process.  Keep the number of each form that the kit writes,
-- and the decisions in the form.  Then a spreadsheet that is saved late is compared with the form that it was opened from.
DROP VIEW IF EXISTS log_lines;
DROP VIEW IF EXISTS handed;
CREATE TABLE form_written (number INTEGER PRIMARY KEY, sha256 TEXT, decisions TEXT);

-- step 3: keep the id and the name of everybody who was ever on a roster.  An older kit kept only the last roster.  If a
-- student is not on it, the store knows only the id, from a publication or a decision.
CREATE TABLE ever (id TEXT PRIMARY KEY, name TEXT);
INSERT INTO ever SELECT id, name FROM student;
INSERT OR IGNORE INTO ever SELECT student, '' FROM published;
WITH RECURSIVE decided(id, others) AS (
  SELECT '', value || ', ' FROM decision WHERE column = 'student'
  UNION ALL
  SELECT substr(others, 1, instr(others, ', ') - 1), substr(others, instr(others, ', ') + 2) FROM decided WHERE others != ''
)
INSERT OR IGNORE INTO ever SELECT id, '' FROM decided WHERE id != '';
CREATE TRIGGER stay_known AFTER INSERT ON student
  BEGIN INSERT OR REPLACE INTO ever VALUES (NEW.id, NEW.name); END;

-- step 4: the verdicts that `make grade AGAIN=` should find again, and has not found again yet
CREATE TABLE again (lab TEXT, function TEXT, digest TEXT, PRIMARY KEY (lab, function, digest));

-- step 5: the games of `make league`, each with everything that it depends on; whether a submission can play, or why not;
-- and what a solver says about the moves of a game
CREATE TABLE game (
  first TEXT, second TEXT, opening INTEGER, budget INTEGER, kit TEXT, played TEXT,
  PRIMARY KEY (first, second, opening, budget, kit)
);
CREATE TABLE entrance (lab TEXT, kit TEXT, why TEXT, PRIMARY KEY (lab, kit));
CREATE TABLE worth (moves TEXT PRIMARY KEY, worth TEXT);
