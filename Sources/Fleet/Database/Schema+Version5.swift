extension Schema {
  /// Version 5: an identifier belongs to no device alone.
  ///
  /// - The key of `weighing` is the identifier with the device. Before, a record was taken for a repetition if another device
  ///   had published its identifier first: a card that was copied with a full outbox has a device publish the records of
  ///   another one.
  /// - `conflict` has what is no repetition: records with an identifier that another device has, which are stored as well, and
  ///   records that differ from the stored one, which are only there. Its rows expire like the weighings.
  /// - The digest tells such records apart, so that one that is sent again is there once.
  static let version5 = """
    ALTER TABLE weighing DROP CONSTRAINT weighing_pkey;
    ALTER TABLE weighing ADD CONSTRAINT weighing_pkey PRIMARY KEY (id, device);

    -- Of a copied card, two devices have the same identifiers.
    ALTER TABLE sequence_conflict DROP CONSTRAINT sequence_conflict_pkey;
    ALTER TABLE sequence_conflict ADD PRIMARY KEY (device, id, other_id);

    CREATE TABLE conflict (
      id uuid NOT NULL, device text NOT NULL, other_device text NOT NULL, sequence bigint NOT NULL, record jsonb NOT NULL,
      digest text NOT NULL, received timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (id, device, other_device, digest)
    );
    COMMENT ON TABLE conflict IS 'records with an identifier that is taken';
    COMMENT ON COLUMN conflict.other_device IS
      'the device that published the identifier first; the device itself if the record differs from its stored one';
    COMMENT ON COLUMN conflict.record IS 'the record as it arrived';

    CREATE OR REPLACE VIEW device_status AS
      SELECT d.id, d.last_seen, d.weighings, d.highest_sequence, d.missing, d.lost, coalesce(c.conflicts, 0) AS conflicts,
        d.clock, d.calibration, time_or_null(d.health->>'calibration_time') AS calibrated, d.version,
        coalesce(i.id_conflicts, 0) AS id_conflicts
      FROM device d
      LEFT JOIN (SELECT device, count(DISTINCT sequence) AS conflicts FROM sequence_conflict GROUP BY device) c
        ON c.device = d.id
      LEFT JOIN (
        SELECT device, count(*) AS id_conflicts
        FROM (SELECT device, id FROM conflict UNION SELECT other_device, id FROM conflict) taken GROUP BY device
      ) i ON i.device = d.id;

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
      DELETE FROM conflict WHERE ctid = ANY (ARRAY(
        SELECT c.ctid FROM conflict c
        WHERE c.received < (SELECT now() - r.keep_days * interval '1 day' FROM retention r) LIMIT 50000));
    END $$;

    DO $$
    BEGIN
      -- Replacing a function removes its settings; see version 4.
      EXECUTE format('ALTER FUNCTION drop_expired() SET search_path = %I, pg_temp', current_schema());
      ALTER FUNCTION drop_expired() SET enable_seqscan = off;
      ALTER FUNCTION drop_expired() SET jit = off;
    END $$;
    """
}
