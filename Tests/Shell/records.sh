# shellcheck shell=bash
# Compares what light devices have recorded (`grampad simulate --records`) with what the collectors have stored.

# compare_records URL RECORDS WEIGHINGS: prints a line `ok ...` or `not ok ...` for each check. Exit status: 0 if all passed.
compare_records() {
  local report
  report=$(
    psql -X -q -A -t -v ON_ERROR_STOP=1 "$1" <<END
CREATE TEMPORARY TABLE recorded (device text, sequence bigint, id uuid, net_g numeric);
\\copy recorded FROM '$2' WITH (FORMAT csv)
CREATE UNIQUE INDEX ON recorded (id);
ANALYZE recorded;
SELECT CASE WHEN faults = 0 THEN 'ok ' || name ELSE 'not ok ' || name || ': ' || faults END FROM (VALUES
  (1, 'all weighings were recorded', $3 - (SELECT count(*) FROM recorded)),
  (2, 'no recorded weighing is missing', (SELECT count(*) FROM recorded r LEFT JOIN weighing w USING (id) WHERE w.id IS NULL)),
  (3, 'none is stored twice', (SELECT count(*) - count(DISTINCT (device, sequence)) FROM weighing)),
  (4, 'none is stored that was not recorded',
    (SELECT count(*) FROM weighing w LEFT JOIN recorded r USING (id) WHERE r.id IS NULL)),
  (5, 'all are stored as they were recorded', (SELECT count(*) FROM recorded r JOIN weighing w USING (id)
    WHERE (r.device, r.sequence, r.net_g) <> (w.device, w.sequence, w.net_g))),
  (6, 'no sequence has a hole', (SELECT count(*) FROM
    (SELECT 1 FROM weighing GROUP BY device HAVING count(*) <> max(sequence) OR min(sequence) <> 1) AS holes)),
  (7, 'no record counts as missing or lost', (SELECT sum(missing + lost) FROM device)),
  (8, 'no two journals seem to have the same id', (SELECT count(*) FROM sequence_conflict))
) AS checks (number, name, faults) ORDER BY number;
END
  ) || return
  printf '%s\n' "$report"
  [[ $report != *"not ok"* ]] && (($(grep -c '^ok ' <<<"$report") == 8))
}
