-- What a run gathers, student by student, and what is read off it.  All of it goes with the process.

CREATE TEMP TABLE now (student TEXT PRIMARY KEY, state TEXT, sums TEXT, made_of TEXT, no_time INTEGER);
CREATE TEMP TABLE wrong (student TEXT, lab TEXT, function TEXT, "case" TEXT, hidden INTEGER, lost INTEGER, answer TEXT, known TEXT);
CREATE TEMP TABLE survey (student TEXT, question TEXT, answer TEXT);

-- what is published of each student, and what would be
CREATE TEMP VIEW latest AS SELECT * FROM published WHERE number = (SELECT max(number) FROM published);
CREATE TEMP VIEW pairs AS
SELECT now.student, latest.state AS was_state, now.state, ifnull(latest.made_of, '{}') AS was_made_of, now.made_of,
    cast(nullif(json_extract(latest.sums, '$.score'), '') AS REAL) AS was,
    cast(nullif(json_extract(now.sums, '$.score'), '') AS REAL) AS score
FROM now LEFT JOIN latest USING (student) ORDER BY now.rowid;

CREATE TEMP VIEW states AS
SELECT group_concat(number || ' ' || state, ', ') FROM (SELECT count(*) AS number, state FROM now GROUP BY state);

CREATE TEMP VIEW no_time AS SELECT student FROM now WHERE no_time;

CREATE TEMP VIEW lowered AS SELECT student FROM pairs WHERE was IS NOT NULL AND (score IS NULL OR score < was);

CREATE TEMP VIEW steps AS
SELECT score > was AS up, count(*) AS students,
    printf(' (%+.2f to %+.2f)',
        CASE WHEN score > was THEN min(score - was) ELSE max(score - was) END,
        CASE WHEN score > was THEN max(score - was) ELSE min(score - was) END) AS span
FROM pairs WHERE score != was GROUP BY score > was;

CREATE TEMP VIEW difference AS
SELECT 'since publication ' || (SELECT number FROM latest) || ': '
    || ifnull((SELECT students || ' up' || span FROM steps WHERE up), '0 up') || ', '
    || ifnull((SELECT students || ' down' || span FROM steps WHERE NOT up), '0 down') || ', '
    || (SELECT count(*) FROM pairs WHERE was IS score) || ' same'
    || (SELECT CASE count(*) WHEN 0 THEN '' ELSE ', ' || count(*) || ' with a score only before or now' END
        FROM pairs WHERE (was IS NULL) != (score IS NULL))
WHERE EXISTS (SELECT 1 FROM latest)
UNION ALL SELECT 'nothing was published before' WHERE NOT EXISTS (SELECT 1 FROM latest);

-- each text that a student's score is made of and that is another now
CREATE TEMP VIEW causes AS
SELECT student, key, max(old) AS old, max(new) AS new FROM (
    SELECT student, key, value AS old, NULL AS new FROM pairs, json_each(was_made_of)
    UNION ALL SELECT student, key, NULL, value FROM pairs, json_each(pairs.made_of)
) GROUP BY student, key HAVING max(old) IS NOT max(new);

CREATE TEMP VIEW changed AS
SELECT student, ifnull(was_state, ''), CASE WHEN was IS NULL THEN '' ELSE printf('%.2f', was) END,
    state, CASE WHEN score IS NULL THEN '' ELSE printf('%.2f', score) END, ifnull((
    SELECT group_concat(key || ': ' || ifnull(old || ' -> ', '') || ifnull(new, 'none'), '; ') FROM causes
    WHERE causes.student = pairs.student AND NOT (
        key GLOB 'case *' AND (was_state IS NOT state
            OR EXISTS (SELECT 1 FROM causes AS file WHERE file.student = pairs.student AND file.key = 'file'))
    )
), 'the rules in course.yaml')
FROM pairs WHERE EXISTS (SELECT 1 FROM latest) AND (was IS NOT score OR was_state IS NOT state);

-- the summary
CREATE TEMP VIEW failing AS SELECT "case", count(*) AS students, sum(lost) AS lost FROM wrong GROUP BY "case";

CREATE TEMP VIEW mistakes AS
SELECT function, known, count(DISTINCT student) AS number, group_concat(DISTINCT student) AS students
FROM wrong WHERE known != '' GROUP BY function, known ORDER BY number DESC, function, known;

CREATE TEMP VIEW wrong_functions AS
SELECT student, lab, function, min("case") AS "case", min(hidden) AS hidden, max(known) AS known,
    group_concat("case" || answer, char(10)) AS answers, max(answer) != '' AS answered
FROM (SELECT rowid AS place, * FROM wrong ORDER BY student, function, "case")
GROUP BY student, function ORDER BY min(place);

CREATE TEMP VIEW alike AS
SELECT function, "case", count(*) AS number, group_concat(student) AS students FROM wrong_functions
WHERE known = '' AND answered GROUP BY function, answers HAVING count(DISTINCT lab) > 1 ORDER BY number DESC, function;

CREATE TEMP VIEW hidden_only AS
SELECT function, count(*) AS number, group_concat(student) AS students FROM wrong_functions WHERE hidden GROUP BY function;

-- what the log last said of what people change in course.yaml, in the cases and in hand.csv
CREATE TEMP VIEW last_logged AS SELECT what, new FROM log WHERE id IN (
    SELECT max(id) FROM log WHERE what LIKE 'void of %' OR what LIKE 'by hand, %' OR what LIKE 'extension of %'
        OR what LIKE 'excused, %' OR what IN ('the late rule', 'which file counts') GROUP BY what
);
