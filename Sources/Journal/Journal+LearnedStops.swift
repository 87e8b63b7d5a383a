import GRDB
import Weighing

/// What was learned about stops. No record depends on it: it is outside the chain and the audit trail.
extension Journal {
  /// What earlier runs have learned, the label that was stored last at the end. Invalid rows are omitted.
  package func learnedStops() throws(JournalError) -> [LearnedStop] {
    try read { db in
      var stops: [LearnedStop] = []
      let rows = try Row.fetchCursor(db, sql: "SELECT label, flow_g_s, arrived_g FROM learned_stops ORDER BY number")
      while let row = try rows.next() {
        guard let label = String.fromDatabaseValue(row["label"]), let flow = Double.fromDatabaseValue(row["flow_g_s"]),
          let arrived = Double.fromDatabaseValue(row["arrived_g"]), flow > 0, flow <= Self.largest,
          abs(arrived) <= Self.largest
        else { continue }
        if stops.last?.label != label { stops.append(LearnedStop(label: label, samples: [])) }
        stops[stops.count - 1].samples.append(.init(flow: flow, arrived: Grams(arrived)))
      }
      return stops.map { LearnedStop(label: $0.label, samples: $0.samples.suffix(LearnedStop.maximumSamples)) }
    }
  }

  /// Stores what was learned for a label instead of what was stored for it; without samples, it is removed.
  package func store(_ stop: LearnedStop) throws(JournalError) {
    try write(asRecord: true) { db in
      try db.execute(sql: "DELETE FROM learned_stops WHERE label = ?", arguments: [stop.label])
      for sample in stop.samples {
        try db.execute(
          sql: "INSERT INTO learned_stops (label, flow_g_s, arrived_g) VALUES (?, ?, ?)",
          arguments: [stop.label, sample.flow, sample.arrived.value])
      }
    }
  }

  /// A limit in grams and grams per second, far above any pad.
  private static let largest = 1e12
}
