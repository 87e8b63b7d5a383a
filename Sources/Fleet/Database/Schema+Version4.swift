extension Schema {
  /// Version 4: retention of large partitions, and fair requests.
  ///
  /// - A BRIN index of `received`, of some kilobytes for a partition, tells when the last record of a partition arrived. The
  ///   functions of retention use it whatever the statistics say: a scan of a partition can take longer than a request may.
  /// - What is deleted from `weighing_other` at a time is limited for the same reason.
  /// - `last_asked` is where the next request for missing records continues, so that each hole has its turn.
  static let version4 = """
    CREATE INDEX weighing_received ON weighing USING brin (received) WITH (autosummarize = on);
    ALTER TABLE device ADD COLUMN last_asked bigint;
    COMMENT ON COLUMN device.last_asked IS 'the last record that was asked for';

    CREATE OR REPLACE FUNCTION drop_expired() RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
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
    END $$;

    DO $$
    BEGIN
      -- Replacing a function removes its settings.
      EXECUTE format('ALTER FUNCTION drop_expired() SET search_path = %I, pg_temp', current_schema());
      -- PostgreSQL would compile a query that it has to scan a table for in spite of that.
      ALTER FUNCTION drop_expired() SET enable_seqscan = off;
      ALTER FUNCTION drop_expired() SET jit = off;
      ALTER FUNCTION detach_expired_partition() SET enable_seqscan = off;
      ALTER FUNCTION detach_expired_partition() SET jit = off;
    END $$;
    """
}
