extension Schema {
  /// The tables.
  ///
  /// - The identifier of a weighing is a UUID of version 7, so that ranges of it are ranges of time. With the device it is the key of
  ///   `weighing`, and it decides on the partition, which PostgreSQL requires of a unique key. A card that was copied with a full outbox
  ///   has a device publish the records of another one, so that an identifier belongs to no device alone.
  /// - Which records of a device are missing is a set of ranges. It changes in the transaction that stores records, so
  ///   that several collectors keep it right together. `last_asked` is where the next request for them continues, so that each hole has
  ///   its turn.
  /// - `conflict` has what is no repetition: records with an identifier that another device has, which are stored as well, and records
  ///   that differ from the stored one, which are only there. Its rows expire like the weighings. The digest tells such records apart,
  ///   so that one that is sent again is there once.
  /// - A batch arrives as an array of rows of one type.
  /// - A page of `device` keeps room for the next version of its rows, so that an update changes no index. `health` is the
  ///   last column: the log has what differs between two versions of a row, without what is equal at their end.
  /// - A BRIN index of `received`, of some kilobytes for a partition, tells when the last record of a partition arrived.
  static let tables = """
    CREATE FUNCTION range_count(int8multirange) RETURNS bigint LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
    BEGIN
      IF isempty($1) THEN RETURN 0; END IF;
      RETURN (SELECT sum(upper(r) - lower(r)) FROM unnest($1) AS r);
    END $$;

    CREATE FUNCTION first_id(timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
      $$SELECT (lpad(to_hex((extract(epoch FROM $1) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid$$;

    CREATE TABLE weighing (
      id uuid NOT NULL,
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
      received timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (id, device)
    ) PARTITION BY RANGE (id);
    CREATE INDEX weighing_device ON weighing (device, sequence);
    CREATE INDEX weighing_voids ON weighing (voids) WHERE voids IS NOT NULL;
    CREATE INDEX weighing_amends ON weighing (amends) WHERE amends IS NOT NULL;
    CREATE INDEX weighing_received ON weighing USING brin (received) WITH (autosummarize = on);
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
      weighings bigint NOT NULL DEFAULT 0,
      last_asked bigint,
      health jsonb
    ) WITH (fillfactor = 50);
    CREATE INDEX device_next_request ON device (next_request) WHERE missing_ranges <> '{}';
    COMMENT ON COLUMN device.known_sequence IS 'the highest sequence that the device has told of';
    COMMENT ON COLUMN device.weighings IS 'the weighings stored so far, those of dropped partitions too';
    COMMENT ON COLUMN device.last_asked IS 'the last record that was asked for';

    CREATE TABLE sequence_conflict (
      device text NOT NULL, sequence bigint NOT NULL, id uuid NOT NULL, other_id uuid NOT NULL,
      found timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (device, id, other_id)
    );
    COMMENT ON TABLE sequence_conflict IS 'different records with the same sequence: two journals claim one device id';

    CREATE TABLE conflict (
      id uuid NOT NULL, device text NOT NULL, other_device text NOT NULL, sequence bigint NOT NULL, record jsonb NOT NULL,
      digest text NOT NULL, received timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (id, device, other_device, digest)
    );
    COMMENT ON TABLE conflict IS 'records with an identifier that is taken';
    COMMENT ON COLUMN conflict.other_device IS
      'the device that published the identifier first; the device itself if the record differs from its stored one';
    COMMENT ON COLUMN conflict.record IS 'the record as it arrived';

    CREATE TABLE retention (
      keep_days int NOT NULL CHECK (keep_days > 0),
      single boolean NOT NULL PRIMARY KEY DEFAULT true CHECK (single)
    );
    COMMENT ON TABLE retention IS 'weighings of months that ended more days ago are dropped; without a row all are kept';

    CREATE TYPE weighing_input AS (
      device text, id uuid, sequence bigint, time timestamptz, kind text, gross_g numeric, tare_g numeric, net_g numeric,
      uncertainty_g numeric, pieces bigint, label text, source text, calibration text, calibration_counter bigint,
      configuration_hash text, voids uuid, amends uuid, clock text
    );
    CREATE TYPE health_input AS (device text, health jsonb, sequence bigint);

    """
}
