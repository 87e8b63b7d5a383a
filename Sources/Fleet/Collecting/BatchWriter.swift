import Linux
import Logging
import Weighing

/// Stores batches. What PostgreSQL rejects is left out and logged: one payload must not hold up all others.
struct BatchWriter: Sendable {
  private let metrics: CollectorMetrics?
  private let logger: Logger

  /// Maximum number of devices whose health is stored in a transaction.
  private static let healthBatch = 1_000

  /// Makes a writer.
  init(metrics: CollectorMetrics?, logger: Logger) {
    (self.metrics, self.logger) = (metrics, logger)
  }

  /// Stores a batch; what is stored is removed from it.
  func save(_ batch: inout Inbox.Batch, in store: inout FleetStore) throws(PostgresError) {
    try save(batch.records, in: &store)
    batch.records = []
    while !batch.health.isEmpty {
      let part = Array(batch.health.prefix(Self.healthBatch))
      try save(part, in: &store)
      for (device, _) in part { batch.health[device] = nil }
    }
    for (device, report) in batch.reports { try store.save(report, of: device) }
    batch.reports = [:]
  }

  /// The health of a device, and the device.
  private typealias DeviceHealth = (key: String, value: CollectedHealth)

  private func save(_ health: [DeviceHealth], in store: inout FleetStore) throws(PostgresError) {
    try divide(health[...], in: &store) { (health, store) throws(PostgresError) in
      try store.save(health: Dictionary(uniqueKeysWithValues: health.map { ($0.key, $0.value) }))
    } reject: { health, error in
      metrics?.countInvalid()
      logger.error(
        "cannot store the health of a device", metadata: ["device.id": "\(health.key)", "fleet.reason": "\(error)"])
    }
  }

  private func save(_ records: [CollectedRecord], in store: inout FleetStore) throws(PostgresError) {
    try divide(records[...], in: &store) { (records, store) throws(PostgresError) in
      let start = Instant.now()
      let saved = try store.save(Array(records), at: .wallClock())
      metrics?.countBatch(saved, took: .now() - start)
      guard saved.idConflicts > 0 else { return }
      logger.warning(
        "records with the identifiers of others; see the table conflict",
        metadata: ["fleet.conflicts": "\(saved.idConflicts)"])
    } reject: { record, error in
      metrics?.countRejection()
      logger.error(
        "cannot store a record; it stays missing",
        metadata: [
          "device.id": "\(record.device)", "weighing.sequence": "\(record.sequence)", "fleet.reason": "\(error)",
        ])
    }
  }

  /// Stores items together; if PostgreSQL rejects one of them, divides them until that one is alone.
  private func divide<Item>(
    _ items: ArraySlice<Item>, in store: inout FleetStore,
    save: (ArraySlice<Item>, inout FleetStore) throws(PostgresError) -> Void, reject: (Item, PostgresError) -> Void
  ) throws(PostgresError) {
    guard let first = items.first else { return }
    do throws(PostgresError) {
      try save(items, &store)
    } catch  where error.isAboutData {
      guard items.count > 1 else { return reject(first, error) }
      let middle = items.startIndex + items.count / 2
      try divide(items[..<middle], in: &store, save: save, reject: reject)
      try divide(items[middle...], in: &store, save: save, reject: reject)
    }
  }
}
