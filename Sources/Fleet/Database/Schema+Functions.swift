extension Schema {
  /// Retention, totals, and what other roles than the owner may see and do.
  ///
  /// - Partitions are created and dropped by functions that run with the rights of the owner: a collector needs no other
  ///   right to tables than to insert, and drops only what the owner's `retention` says has expired.
  /// - A partition is detached in one transaction, which holds up writers for a moment, and dropped in another.
  ///   `DETACH PARTITION CONCURRENTLY` is not possible with a default partition. The wait for the lock is bounded, because
  ///   writers wait behind it.
  /// - The functions find the tables in the schema of the migration, whatever the caller has set. They use the index of arrivals
  ///   whatever the statistics say: a scan of a partition can take longer than a request may. What is deleted at a time is limited for
  ///   the same reason.
  static let functionsAndViews = """
    CREATE FUNCTION create_partition(month date) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
    DECLARE
      name text := 'weighing_' || to_char(month, 'YYYY_MM');
      start timestamp := date_trunc('month', month::timestamp);
      first uuid := first_id(start AT TIME ZONE 'UTC');
      next uuid := first_id((start + interval '1 month') AT TIME ZONE 'UTC');
    BEGIN
      IF month NOT BETWEEN '2020-01-01' AND '2099-12-31' THEN
        RAISE datetime_field_overflow USING MESSAGE = 'no partition for ' || month;
      END IF;
      PERFORM pg_advisory_xact_lock(4815162385);
      IF to_regclass(name) IS NOT NULL THEN RETURN; END IF;
      EXECUTE format('CREATE TABLE %I (LIKE weighing INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name);
      -- Its records may be there already, for example of a device whose clock was ahead.
      LOCK TABLE weighing_other IN ACCESS EXCLUSIVE MODE;
      EXECUTE format('WITH moved AS (DELETE FROM weighing_other WHERE id >= %L AND id < %L RETURNING *)
        INSERT INTO %I SELECT * FROM moved', first, next, name);
      EXECUTE format('ALTER TABLE weighing ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, first, next);
    END $$;

    CREATE FUNCTION detach_expired_partition() RETURNS text LANGUAGE plpgsql SECURITY DEFINER AS $$
    DECLARE
      name text;
      period interval;
      is_recent boolean;
    BEGIN
      -- Another collector does it.
      IF NOT pg_try_advisory_xact_lock(4815162385) THEN RETURN NULL; END IF;
      SELECT keep_days * interval '1 day' INTO period FROM retention;
      FOR name IN SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'weighing'::regclass AND c.relname ~ '^weighing_\\d{4}_\\d{2}$'
          AND (to_timestamp(substr(c.relname, 10), 'YYYY_MM')::timestamp + interval '1 month') AT TIME ZONE 'UTC'
            <= now() - period
        ORDER BY c.relname
      LOOP
        -- A device whose clock is years behind sends weighings of today with such a date.
        EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE received > $1)', name) INTO is_recent USING now() - period;
        CONTINUE WHEN is_recent;
        EXECUTE format('ALTER TABLE weighing DETACH PARTITION %I', name);
        EXECUTE format('ALTER TABLE %I RENAME TO %I', name, 'dropped_' || name);
        RETURN name;
      END LOOP;
      RETURN NULL;
    END $$;

    CREATE FUNCTION drop_expired() RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
    DECLARE
      name text;
    BEGIN
      IF NOT pg_try_advisory_xact_lock(4815162385) THEN RETURN; END IF;
      FOR name IN SELECT c.relname FROM pg_class c
        WHERE c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'weighing'::regclass)
          AND c.relkind = 'r' AND c.relname ~ '^dropped_weighing_\\d{4}_\\d{2}$'
      LOOP
        EXECUTE format('DROP TABLE %I', name);
      END LOOP;
      -- The ids of these records say nothing about when they were made.
      DELETE FROM weighing_other WHERE ctid = ANY (ARRAY(
        SELECT w.ctid FROM weighing_other w
        WHERE w.received < (SELECT now() - r.keep_days * interval '1 day' FROM retention r) LIMIT 50000));
      DELETE FROM conflict WHERE ctid = ANY (ARRAY(
        SELECT c.ctid FROM conflict c
        WHERE c.received < (SELECT now() - r.keep_days * interval '1 day' FROM retention r) LIMIT 50000));
    END $$;

    DO $$
    DECLARE
      name text;
    BEGIN
      FOREACH name IN ARRAY ARRAY['create_partition(date)', 'detach_expired_partition()', 'drop_expired()'] LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', name, current_schema());
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name);
      END LOOP;
      ALTER FUNCTION create_partition(date) SET lock_timeout = '1s';
      ALTER FUNCTION detach_expired_partition() SET lock_timeout = '1s';
      ALTER FUNCTION detach_expired_partition() SET timezone = 'UTC';
      -- PostgreSQL would compile a query that it has to scan a table for in spite of that.
      ALTER FUNCTION drop_expired() SET enable_seqscan = off;
      ALTER FUNCTION drop_expired() SET jit = off;
      ALTER FUNCTION detach_expired_partition() SET enable_seqscan = off;
      ALTER FUNCTION detach_expired_partition() SET jit = off;
    END $$;

    -- A payload may have anything.
    CREATE FUNCTION time_or_null(text) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
    BEGIN
      RETURN $1::timestamptz;
    EXCEPTION WHEN data_exception THEN
      RETURN NULL;
    END $$;

    CREATE VIEW effective_weighing AS
      SELECT w.id, w.device, w.sequence, w.time, w.gross_g, w.tare_g, w.net_g, w.uncertainty_g, w.pieces,
        CASE WHEN r.amends IS NULL THEN w.label ELSE r.label END AS label,
        w.source, w.calibration, w.calibration_counter, w.configuration_hash, w.clock, w.received
      FROM weighing w LEFT JOIN (
        SELECT DISTINCT ON (a.amends, a.device) a.amends, a.device, a.label FROM weighing a
        WHERE a.amends IS NOT NULL AND a.kind = 'relabel' ORDER BY a.amends, a.device, a.sequence DESC
      ) r ON r.amends = w.id AND r.device = w.device
      WHERE w.kind = 'weighing'
        AND NOT EXISTS (SELECT FROM weighing v WHERE v.voids = w.id AND v.device = w.device AND v.kind = 'void');

    CREATE VIEW daily_total AS
      SELECT device, time::date AS day, label, count(*) AS weighings, sum(net_g) AS net_g,
        current_setting('TimeZone') AS time_zone
      FROM effective_weighing GROUP BY device, time::date, label;
    COMMENT ON VIEW daily_total IS 'days of the time zone of the session, which time_zone names';

    CREATE VIEW device_status AS
      SELECT d.id, d.last_seen, d.weighings, d.highest_sequence, d.missing, d.lost, coalesce(c.conflicts, 0) AS conflicts,
        d.clock, CASE WHEN d.health->'pad'->>'path' = 'simulated' THEN 'simulated' ELSE d.calibration END AS calibration,
        time_or_null(d.health->>'calibration_time') AS calibrated, d.version,
        coalesce(i.id_conflicts, 0) AS id_conflicts
      FROM device d
      LEFT JOIN (SELECT device, count(DISTINCT sequence) AS conflicts FROM sequence_conflict GROUP BY device) c
        ON c.device = d.id
      LEFT JOIN (
        SELECT device, count(*) AS id_conflicts
        FROM (SELECT device, id FROM conflict UNION SELECT other_device, id FROM conflict) taken GROUP BY device
      ) i ON i.device = d.id;
    """
}
