import GRDB
import Weighing

/// The stored containers. Each change is recorded in the audit trail.
extension Journal {
  /// The stored containers in the order of their storage. Invalid rows are omitted.
  package func containers() throws(JournalError) -> [Container] {
    try read { db in
      try Row.fetchAll(db, sql: "SELECT name, tare_g FROM containers ORDER BY number").compactMap { row in
        guard let name = String.fromDatabaseValue(row["name"]).flatMap(ContainerName.init),
          let tare = Double.fromDatabaseValue(row["tare_g"]), tare >= 0, tare <= Self.largestTare
        else { return nil }
        return Container(name: name, tare: Grams(tare))
      }
    }
  }

  /// Stores a container, replacing one with the same name, or removes it: `nil` for its tare.
  ///
  /// - Parameter time: The time since 1970 in UTC.
  package func store(_ name: ContainerName, tare: Grams?, at time: Instant) throws(JournalError) {
    try append(at: time) { appender, _ in
      if let tare {
        try appender.db.execute(
          sql: """
            INSERT INTO containers (name, tare_g) VALUES (?, ?)
            ON CONFLICT (name) DO UPDATE SET tare_g = excluded.tare_g
            """, arguments: [name.description, tare.value])
      } else {
        try appender.db.execute(sql: "DELETE FROM containers WHERE name = ?", arguments: [name.description])
      }
      try appender.append(.container(name, tare: tare), at: time)
    }
  }

  /// A limit in grams, far above any pad.
  private static let largestTare = 1e12
}
