import GRDB
import Weighing

/// The state of the scale that survives a restart: one row, outside the chain, since it is no record of anything.
extension Journal {
  /// What is stored of the scale's state.
  package enum StoredScaleState: Hashable, Sendable {
    case none
    case state(ScaleMemory)
    /// The row makes no sense; it is replaced by the next `store`.
    case damaged
  }

  /// The state that was stored last; none in a journal of an earlier version.
  package func scaleState() throws(JournalError) -> StoredScaleState {
    try read { db in
      // A reader does not migrate: a file of an earlier version has no such table.
      guard try db.tableExists("scale_state") else { return .none }
      guard let row = try Row.fetchOne(db, sql: "SELECT tare_g, tare_epoch, plate_counts, pad FROM scale_state") else {
        return .none
      }
      guard let tare = Double.fromDatabaseValue(row[0]), let epoch = Int.fromDatabaseValue(row[1]),
        let pad = String.fromDatabaseValue(row[3]), tare.magnitude <= Self.largestMass,
        (0...Self.largestEpoch).contains(epoch)
      else { return .damaged }
      let plate = Double.fromDatabaseValue(row[2])
      if let plate, !(0...Self.largestMass).contains(plate) { return .damaged }
      return .state(ScaleMemory(tare: Grams(tare), tareEpoch: epoch, plateCounts: plate, pad: pad))
    }
  }

  /// Stores the state in place of the last one.
  package func store(_ state: ScaleMemory) throws(JournalError) {
    try write { db in
      try db.execute(
        sql: """
          INSERT INTO scale_state (only, tare_g, tare_epoch, plate_counts, pad) VALUES (1, ?, ?, ?, ?)
          ON CONFLICT (only) DO UPDATE SET tare_g = excluded.tare_g, tare_epoch = excluded.tare_epoch,
            plate_counts = excluded.plate_counts, pad = excluded.pad
          """,
        arguments: [state.tare.value, state.tareEpoch, state.plateCounts, state.pad])
    }
  }

  /// In grams and in counts: far beyond any pad.
  private static let largestMass = 1e12
  private static let largestEpoch = 1 << 53
}
