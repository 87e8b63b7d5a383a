import GRDB

/// The scale that made the journal, outside the chain because it is not a record.
extension Journal {
  /// The `device.id` of the first run with this journal, which is this one if none was stored.
  ///
  /// Another one means that the device was renamed, or that the journal was copied: its weighings are those of another scale.
  package func firstDevice(_ id: String) throws(JournalError) -> String {
    try write { db in
      try db.execute(sql: "INSERT INTO first_device (only, id) VALUES (1, ?) ON CONFLICT DO NOTHING", arguments: [id])
      return try String.fetchOne(db, sql: "SELECT id FROM first_device") ?? id
    }
  }
}
