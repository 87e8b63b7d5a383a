/// The statement that stores a batch of records.
extension FleetStore {
  /// Returns what it has counted, and the devices, whose rows it has locked, with the sequences that were stored.
  ///
  /// Another record with the same sequence can only be stored if the highest sequence of the device is not below it.
  ///
  /// A record that differs from the stored one of its device is only in `conflict`: its sequence is not that of a stored record,
  /// and may be that of a missing one.
  ///
  /// The identifiers are different.
  ///
  /// Rows are inserted and locked in order, so that two collectors do not wait for each other.
  static let saving = """
    WITH input AS MATERIALIZED (
      SELECT id, device, sequence, time, coalesce(kind, 'weighing') AS kind, gross_g, tare_g, net_g, uncertainty_g, pieces,
        label, source, calibration, calibration_counter, configuration_hash, voids, amends, clock
      FROM unnest($1::weighing_input[])
    ), compared AS MATERIALIZED (
      -- OFFSET keeps it a search in the index for each record.
      SELECT i AS record, i.id, i.device, i.sequence, i.time, w.device AS other_device,
        w.device = i.device AND (i.sequence, i.time, i.kind, i.gross_g, i.tare_g, i.net_g, i.uncertainty_g, i.pieces, i.label,
            i.source, i.calibration, i.calibration_counter, i.configuration_hash, i.voids, i.amends, i.clock)
          IS DISTINCT FROM (w.sequence, w.time, w.kind, w.gross_g, w.tare_g, w.net_g, w.uncertainty_g, w.pieces, w.label,
            w.source, w.calibration, w.calibration_counter, w.configuration_hash, w.voids, w.amends, w.clock) AS differs
      FROM input i CROSS JOIN LATERAL (SELECT * FROM weighing w WHERE w.id = i.id OFFSET 0) w
    ), taken AS MATERIALIZED (
      SELECT id, device, sequence, other_device, differs, bool_or(device = other_device) OVER (PARTITION BY id) AS is_known,
        CASE WHEN differs OR device <> other_device
          THEN to_jsonb(record)
            || jsonb_build_object('time', to_char(time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
          END AS record
      FROM compared
    ), differing AS MATERIALIZED (
      SELECT id FROM taken WHERE differs
    ), stored AS (
      INSERT INTO weighing (id, device, sequence, time, kind, gross_g, tare_g, net_g, uncertainty_g, pieces, label,
        source, calibration, calibration_counter, configuration_hash, voids, amends, clock)
      SELECT * FROM input ORDER BY id ON CONFLICT DO NOTHING
      RETURNING id, device, sequence, kind
    ), claims AS (
      INSERT INTO conflict (id, device, other_device, sequence, record, digest)
      SELECT id, device, other_device, sequence, record, md5(record::text) FROM taken
      WHERE differs OR NOT is_known ON CONFLICT DO NOTHING RETURNING id, device = other_device AS differs
    ), progress AS (
      SELECT device,
        coalesce(range_agg(int8range(sequence, sequence + 1)) FILTER (WHERE d.id IS NULL), '{}') AS got
      FROM input LEFT JOIN differing d USING (id) GROUP BY device
    ), locked AS MATERIALIZED (
      -- After all records are inserted: two collectors would wait for each other if one locked devices before.
      SELECT \(DeviceRow.columns), p.got FROM device d JOIN progress p ON p.device = d.id
      WHERE (SELECT count(*) FROM stored) >= 0 ORDER BY d.id FOR UPDATE OF d
    ), conflicts AS (
      INSERT INTO sequence_conflict (device, sequence, id, other_id)
      SELECT s.device, s.sequence, s.id, o.id
      FROM stored s JOIN locked l ON l.id = s.device AND s.sequence <= l.highest_sequence CROSS JOIN LATERAL (
        -- OFFSET keeps it a search in the index for each of the few records.
        SELECT w.id FROM weighing w WHERE w.device = s.device AND w.sequence = s.sequence AND w.id <> s.id OFFSET 0
      ) o
      UNION
      SELECT device, sequence, s.id, t.id
      FROM (SELECT device, sequence FROM stored GROUP BY device, sequence HAVING count(*) > 1) AS twice
        JOIN stored s USING (device, sequence) JOIN stored t USING (device, sequence)
      WHERE t.id <> s.id
      ON CONFLICT DO NOTHING RETURNING sequence
    ), added AS (
      SELECT device, count(*) AS weighings FROM stored WHERE kind = 'weighing' GROUP BY device
    )
    SELECT c.*, l.*, coalesce(a.weighings, 0) FROM (
      SELECT (SELECT count(*) FROM stored), (SELECT count(*) FROM conflicts), (SELECT count(*) FROM locked),
        (SELECT count(*) FROM taken WHERE other_device = device), (SELECT count(DISTINCT id) FROM claims),
        (SELECT count(*) FROM claims WHERE differs)
    ) c LEFT JOIN locked l ON true LEFT JOIN added a ON a.device = l.id
    """

  /// The number of counts at the beginning of each row that `saving` returns.
  static let countCount = 6
}
