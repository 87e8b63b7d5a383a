import GRDB
import Weighing

/// The state of the scale that survives a restart: one row, outside the chain because it is not a record.
extension Journal {
  /// The stored state of the scale.
  package enum StoredScaleState: Hashable, Sendable {
    case none
    case state(ScaleMemory)
    /// The row is invalid; the next `store` replaces it.
    case damaged
  }

  /// The last stored state.
  package func scaleState() throws(JournalError) -> StoredScaleState {
    try read { db in
      let sql = "SELECT tare_g, tare_epoch, highest_epoch, plate_counts, zero_date, pad, container FROM scale_state"
      guard let row = try Row.fetchOne(db, sql: sql) else { return .none }
      guard let tare = Double.fromDatabaseValue(row["tare_g"]), let epoch = Int.fromDatabaseValue(row["tare_epoch"]),
        let highest = Int.fromDatabaseValue(row["highest_epoch"]), let pad = String.fromDatabaseValue(row["pad"]),
        tare.magnitude <= Self.largestMass,
        (0...Self.largestEpoch).contains(epoch), (epoch...Self.largestEpoch).contains(highest)
      else { return .damaged }
      let plate = Double.fromDatabaseValue(row["plate_counts"])
      if let plate, !(0...Self.largestMass).contains(plate) { return .damaged }
      let container = String.fromDatabaseValue(row["container"])
      return .state(
        ScaleMemory(
          tare: Grams(tare), tareEpoch: epoch, highestEpoch: highest, plateCounts: plate,
          calibratedZeroDate: String.fromDatabaseValue(row["zero_date"]), pad: pad,
          container: container.flatMap(ContainerName.init)))
    }
  }

  /// Stores the state, replacing the previous one; succeeds only where a weighing could be recorded, too.
  ///
  /// - Parameter reserved: Number of epochs that may be published before the next state is on disk. The next start
  ///   continues above the reserved ones.
  package func store(_ state: ScaleMemory, reserving reserved: Int = 0) throws(JournalError) {
    try write(asRecord: true) { db in
      // An unchanged row would not be written, and the write would show nothing.
      try db.cachedStatement(sql: "DELETE FROM scale_state").execute()
      try db.cachedStatement(
        sql: """
          INSERT INTO scale_state (only, tare_g, tare_epoch, highest_epoch, plate_counts, zero_date, pad, container)
          VALUES (1, ?, ?, ?, ?, ?, ?, ?)
          """
      ).execute(
        arguments: [
          state.tare.value, state.tareEpoch, min(state.highestEpoch + reserved, Self.largestEpoch), state.plateCounts,
          state.calibratedZeroDate, state.pad, state.container?.description,
        ])
    }
  }

  /// Limits in grams and counts, far above any pad.
  private static let largestMass = 1e12
  private static let largestEpoch = 1 << 53
}
