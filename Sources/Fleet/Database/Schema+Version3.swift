extension Schema {
  /// Version 3: less work for each batch.
  ///
  /// - A batch arrives as an array of rows of one type.
  /// - A page of `device` keeps room for the next version of its rows, so that an update changes no index. `health` is the
  ///   last column: the log has what differs between two versions of a row, without what is equal at their end.
  /// - `range_count`, which every update calls twice, returns at once if there is no range.
  static let version3 = """
    CREATE TYPE weighing_input AS (
      device text, id uuid, sequence bigint, time timestamptz, kind text, gross_g numeric, tare_g numeric, net_g numeric,
      uncertainty_g numeric, pieces bigint, label text, source text, calibration text, calibration_counter bigint,
      configuration_hash text, voids uuid, amends uuid, clock text
    );
    CREATE TYPE health_input AS (device text, health jsonb, sequence bigint);

    CREATE OR REPLACE FUNCTION range_count(int8multirange) RETURNS bigint LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
    BEGIN
      IF isempty($1) THEN RETURN 0; END IF;
      RETURN (SELECT sum(upper(r) - lower(r)) FROM unnest($1) AS r);
    END $$;

    ALTER TABLE device SET (fillfactor = 50);
    ALTER TABLE device RENAME COLUMN health TO former_health;
    ALTER TABLE device ADD COLUMN health jsonb;
    UPDATE device SET health = former_health;
    -- Replaced, not created again, so that views of users which read it stay.
    CREATE OR REPLACE VIEW device_status AS
      SELECT d.id, d.last_seen, d.weighings, d.highest_sequence, d.missing, d.lost, coalesce(c.conflicts, 0) AS conflicts,
        d.clock, d.calibration, time_or_null(d.health->>'calibration_time') AS calibrated, d.version
      FROM device d
      LEFT JOIN (SELECT device, count(DISTINCT sequence) AS conflicts FROM sequence_conflict GROUP BY device) c
        ON c.device = d.id;
    ALTER TABLE device DROP COLUMN former_health;
    """
}
