BEGIN TRANSACTION;
CREATE TABLE decision (source TEXT, column TEXT, value TEXT, PRIMARY KEY (source, column));
INSERT INTO "decision" VALUES('x/lab.py','student','alice');
INSERT INTO "decision" VALUES('x/lab.py','submitted','2027-02-13 00:20:00+01:00');
INSERT INTO "decision" VALUES('x/lab.py','counts','yes');
INSERT INTO "decision" VALUES('x/lab.py','reason','by mail');
INSERT INTO "decision" VALUES('bob/games.py','state','ready');
INSERT INTO "decision" VALUES('bob/games.py','reason','');
CREATE TABLE form (sha256 TEXT UNIQUE);
INSERT INTO "form" VALUES('014faff02264257c2b7d1129f79fe8cb939b39c1883eea2798727a818dae3ada');
CREATE TABLE frozen (file TEXT PRIMARY KEY, bytes BLOB);
CREATE TABLE lab (sha256 TEXT PRIMARY KEY, bytes BLOB);
INSERT INTO "lab" VALUES('8b5b9db0c13db24256c829aa364aa90c6d2eba318b9232a4ab9313b954d3555f',X'7468726565');
INSERT INTO "lab" VALUES('7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed',X'6F6E65');
INSERT INTO "lab" VALUES('3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3',X'74776F');
INSERT INTO "lab" VALUES('04efaf080f5a3e74e1c29d1ca6a48569382cbbcd324e8d59d2b83ef21c039f00',X'666F7572');
CREATE TABLE log (
  id INTEGER PRIMARY KEY, at TEXT DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
  who TEXT, kit TEXT, verb TEXT, what TEXT, old TEXT, new TEXT
);
INSERT INTO "log" VALUES(1,'2026-11-26T14:16:41+00:00','somebody','no version','collect','roster','','roster.csv, SHA-256 a9dbb01fb00aa4c63756029b43e243c05456126b699c663e90f0f55b72726d71');
INSERT INTO "log" VALUES(2,'2026-11-26T14:16:41+00:00','somebody','no version','collect','file 007.py','','8b5b9db0c13db24256c829aa364aa90c6d2eba318b9232a4ab9313b954d3555f');
INSERT INTO "log" VALUES(3,'2026-11-26T14:16:41+00:00','somebody','no version','collect','file alice/lab.py','','7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed');
INSERT INTO "log" VALUES(4,'2026-11-26T14:16:41+00:00','somebody','no version','collect','file bob/games.py','','3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3');
INSERT INTO "log" VALUES(5,'2026-11-26T14:16:41+00:00','somebody','no version','collect','file x/lab.py','','04efaf080f5a3e74e1c29d1ca6a48569382cbbcd324e8d59d2b83ef21c039f00');
INSERT INTO "log" VALUES(6,'2026-11-26T14:16:41+00:00','somebody','no version','collect','collected.csv','','ea0520aab9c05ace139452185cd3a2e3bfc50e8809c37954be9bed16c71849fd');
INSERT INTO "log" VALUES(7,'2026-11-26T14:16:42+00:00','somebody','no version','collect','student of x/lab.py','','alice');
INSERT INTO "log" VALUES(8,'2026-11-26T14:16:42+00:00','somebody','no version','collect','submitted of x/lab.py','','2027-02-13 00:20:00+01:00');
INSERT INTO "log" VALUES(9,'2026-11-26T14:16:42+00:00','somebody','no version','collect','counts of x/lab.py','no','yes');
INSERT INTO "log" VALUES(10,'2026-11-26T14:16:42+00:00','somebody','no version','collect','reason of x/lab.py','','by mail');
INSERT INTO "log" VALUES(11,'2026-11-26T14:16:42+00:00','somebody','no version','collect','state of bob/games.py','refused','ready');
INSERT INTO "log" VALUES(12,'2026-11-26T14:16:42+00:00','somebody','no version','collect','reason of bob/games.py','it is not named lab.py; if it is one, write `ready`','');
INSERT INTO "log" VALUES(13,'2026-11-26T14:16:42+00:00','somebody','no version','collect','collected.csv','','014faff02264257c2b7d1129f79fe8cb939b39c1883eea2798727a818dae3ada');
CREATE TABLE published (
  number INTEGER, student TEXT, state TEXT, sums TEXT, made_of TEXT, PRIMARY KEY (number, student)
);
CREATE TABLE roster (name TEXT, system TEXT, bytes BLOB);
INSERT INTO "roster" VALUES('roster.csv','a table of ids',X'69642C6E616D650A616C6963652C416C69636520410A626F622C426F6220420A3030372C4A20420A');
CREATE TABLE student (id TEXT PRIMARY KEY, name TEXT, line INTEGER);
INSERT INTO "student" VALUES('alice','Alice A',1);
INSERT INTO "student" VALUES('bob','Bob B',2);
INSERT INTO "student" VALUES('007','J B',3);
CREATE TABLE submission (
  source TEXT PRIMARY KEY, sha256 TEXT, size INTEGER, found TEXT, owners TEXT, stated TEXT DEFAULT '', refused TEXT,
  family TEXT, number INTEGER, written TEXT DEFAULT '{}'
);
INSERT INTO "submission" VALUES('007.py','8b5b9db0c13db24256c829aa364aa90c6d2eba318b9232a4ab9313b954d3555f',5,'named by id','[[["id", "007"], ["name", "007"]]]','','','007.py',1,'{"student": "007", "submitted": "", "counts": "yes", "state": "ready", "reason": ""}');
INSERT INTO "submission" VALUES('alice/lab.py','7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed',3,'named by id','[[["id", "alice"], ["name", "alice"]]]','','','alice/lab.py',1,'{"student": "alice", "submitted": "", "counts": "no", "state": "ready", "reason": ""}');
INSERT INTO "submission" VALUES('bob/games.py','3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3',3,'named by id','[[["id", "bob"], ["name", "bob"]]]','','it is not named lab.py; if it is one, write `ready`','bob/games.py',1,'{"student": "bob", "submitted": "", "counts": "yes", "state": "ready", "reason": ""}');
INSERT INTO "submission" VALUES('x/lab.py','04efaf080f5a3e74e1c29d1ca6a48569382cbbcd324e8d59d2b83ef21c039f00',4,'named by id','[[["id", "x"], ["name", "x"]]]','','','x/lab.py',1,'{"student": "alice", "submitted": "2027-02-13 00:20:00+01:00", "counts": "yes", "state": "ready", "reason": "by mail"}');
CREATE TABLE verdict (lab TEXT, function TEXT, digest TEXT, cases TEXT, PRIMARY KEY (lab, function, digest));
CREATE TRIGGER one_roster BEFORE INSERT ON roster BEGIN DELETE FROM roster; DELETE FROM student; END;
CREATE TRIGGER log_is_kept BEFORE UPDATE ON log
  BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END;
CREATE TRIGGER log_stays BEFORE DELETE ON log
  BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END;
CREATE TRIGGER log_is_not_replaced BEFORE INSERT ON log WHEN EXISTS (SELECT 1 FROM log WHERE id = NEW.id)
  BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END;
CREATE VIEW log_lines AS
  SELECT substr(at, 1, 10) || ' ' || substr(at, 12, 8) || ' UTC, ' || who || ', make ' || verb || ', kit ' || kit || ': ' || what
    || CASE WHEN old = '' AND new = '' THEN '' ELSE ': ' END || CASE old WHEN '' THEN '' ELSE old || ' -> ' END
    || CASE WHEN old != '' AND new = '' THEN 'nothing' ELSE new END AS line
  FROM log ORDER BY id;
CREATE VIEW handed AS
  SELECT source, sha256, size, found, owners, family, number,
    max(value) FILTER (WHERE column = 'student') AS student,
    coalesce(max(value) FILTER (WHERE column = 'submitted'), stated) AS time,
    coalesce(max(value) FILTER (WHERE column = 'counts' AND value IS NOT 'maybe'), '') AS counts,
    coalesce(max(value) FILTER (WHERE column = 'state') = 'ready', refused = '') AS ready,
    coalesce(max(value) FILTER (WHERE column = 'reason'), refused) AS reason
  FROM submission LEFT JOIN decision USING (source) GROUP BY source;
COMMIT;
