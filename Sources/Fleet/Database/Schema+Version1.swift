extension Schema {
  /// Version 1.
  ///
  /// - The identifier of a weighing is a UUID of version 7, so that ranges of it are ranges of time. It is the key of
  ///   `weighing` and at the same time decides on the partition, which PostgreSQL requires of a unique key.
  /// - Which records of a device are missing is a set of ranges. It changes in the same statement that stores records, so
  ///   that several collectors keep it right together.
  static let version1 = """
    CREATE FUNCTION range_count(int8multirange) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
      'SELECT coalesce(sum(upper(r) - lower(r)), 0)::bigint FROM unnest($1) AS r';

    CREATE FUNCTION first_id(timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
      $$SELECT (lpad(to_hex((extract(epoch FROM $1) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid$$;

    CREATE TABLE weighing (
      id uuid NOT NULL PRIMARY KEY,
      device text NOT NULL,
      sequence bigint NOT NULL,
      time timestamptz NOT NULL,
      kind text NOT NULL,
      gross_g numeric, tare_g numeric, net_g numeric, uncertainty_g numeric,
      pieces bigint,
      label text,
      source text,
      calibration text,
      calibration_counter bigint,
      configuration_hash text,
      voids uuid,
      amends uuid,
      clock text,
      received timestamptz NOT NULL DEFAULT now()
    ) PARTITION BY RANGE (id);
    CREATE INDEX weighing_device ON weighing (device, sequence);
    CREATE INDEX weighing_voids ON weighing (voids) WHERE voids IS NOT NULL;
    CREATE INDEX weighing_amends ON weighing (amends) WHERE amends IS NOT NULL;
    CREATE TABLE weighing_other PARTITION OF weighing DEFAULT;

    CREATE TABLE device (
      id text NOT NULL PRIMARY KEY,
      last_seen timestamptz,
      highest_sequence bigint NOT NULL DEFAULT 0,
      known_sequence bigint NOT NULL DEFAULT 0,
      missing_ranges int8multirange NOT NULL DEFAULT '{}',
      lost_ranges int8multirange NOT NULL DEFAULT '{}',
      missing bigint NOT NULL GENERATED ALWAYS AS (range_count(missing_ranges)) STORED,
      lost bigint NOT NULL GENERATED ALWAYS AS (range_count(lost_ranges)) STORED,
      next_request timestamptz,
      requests int NOT NULL DEFAULT 0,
      version text,
      clock text,
      calibration text,
      health jsonb
    );
    CREATE INDEX device_next_request ON device (next_request) WHERE missing_ranges <> '{}';
    COMMENT ON COLUMN device.known_sequence IS 'the highest sequence that the device has told of';

    CREATE TABLE sequence_conflict (
      device text NOT NULL, sequence bigint NOT NULL, id uuid NOT NULL, other_id uuid NOT NULL,
      found timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (id, other_id)
    );
    COMMENT ON TABLE sequence_conflict IS 'different records with the same sequence: two journals claim one device id';

    CREATE VIEW effective_weighing AS
      SELECT w.id, w.device, w.sequence, w.time, w.gross_g, w.tare_g, w.net_g, w.uncertainty_g, w.pieces,
        CASE WHEN r.id IS NULL THEN w.label ELSE r.label END AS label,
        w.source, w.calibration, w.calibration_counter, w.configuration_hash, w.clock, w.received
      FROM weighing w LEFT JOIN LATERAL (
        SELECT a.id, a.label FROM weighing a
        WHERE a.amends = w.id AND a.device = w.device AND a.kind = 'relabel' ORDER BY a.sequence DESC LIMIT 1
      ) r ON true
      WHERE w.kind = 'weighing'
        AND NOT EXISTS (SELECT FROM weighing v WHERE v.voids = w.id AND v.device = w.device AND v.kind = 'void');
    """
}
