/// The rights of the roles that `deploy/fleet/roles.sql` creates. A role that does not exist gets none.
enum Roles {
  /// Grants the rights; for the owner of the tables.
  ///
  /// A collector cannot change or delete a weighing: what writes there with more rights are the functions of the schema.
  static let grants = """
    DO $$
    BEGIN
      IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'grampad_collector') THEN
        GRANT SELECT ON schema_version, retention TO grampad_collector;
        GRANT SELECT, INSERT ON weighing, sequence_conflict, conflict TO grampad_collector;
        GRANT SELECT, INSERT, UPDATE ON device TO grampad_collector;
        GRANT SELECT ON effective_weighing, daily_total, device_status TO grampad_collector;
        GRANT EXECUTE ON FUNCTION create_partition(date), detach_expired_partition(), drop_expired() TO grampad_collector;
      END IF;
      IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'grampad_reader') THEN
        GRANT SELECT ON schema_version, effective_weighing, daily_total, device_status, sequence_conflict, conflict
          TO grampad_reader;
      END IF;
    END $$;
    """
}
