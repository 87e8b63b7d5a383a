import EventLoop
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
    self.metrics = metrics
    self.logger = logger
  }

  /// Stores a batch; what is stored is removed from it.
  func save(_ batch: inout Inbox.Batch, in store: inout FleetStore) throws(PostgresError) {
    try save(batch.records[...], in: &store)
    batch.records = []
    while !batch.health.isEmpty {
      let part = Array(batch.health.prefix(Self.healthBatch))
      try save(part[...], in: &store)
      for (device, _) in part { batch.health[device] = nil }
    }
    for (device, report) in batch.reports { try store.save(report, of: device) }
    batch.reports = [:]
  }

  /// The health of a device, and the device.
  private typealias DeviceHealth = (key: String, value: CollectedHealth)

  /// Stores the health of devices; that which PostgreSQL rejects is left out, and all others are stored.
  private func save(_ health: ArraySlice<DeviceHealth>, in store: inout FleetStore) throws(PostgresError) {
    do throws(PostgresError) {
      guard !health.isEmpty else { return }
      try store.save(health: Dictionary(uniqueKeysWithValues: health.map { ($0.key, $0.value) }))
    } catch  where error.isAboutData {
      guard health.count > 1 else {
        for (device, _) in health {
          metrics?.countRejection()
          logger.error(
            "cannot store the health of a device", metadata: ["device.id": "\(device)", "fleet.reason": "\(error)"])
        }
        return
      }
      let middle = health.startIndex + health.count / 2
      try save(health[..<middle], in: &store)
      try save(health[middle...], in: &store)
    }
  }

  /// Stores records; one that PostgreSQL rejects is left out, and all others are stored.
  private func save(_ records: ArraySlice<CollectedRecord>, in store: inout FleetStore) throws(PostgresError) {
    do throws(PostgresError) {
      guard !records.isEmpty else { return }
      let start = Instant.now()
      let saved = try store.save(Array(records), at: .wallClock())
      metrics?.countBatch(saved, took: .now() - start)
    } catch  where error.isAboutData {
      guard records.count > 1 else {
        for record in records {
          metrics?.countRejection()
          logger.error(
            "cannot store a record; it stays missing",
            metadata: [
              "device.id": "\(record.device)", "weighing.sequence": "\(record.sequence)", "fleet.reason": "\(error)",
            ])
        }
        return
      }
      let middle = records.startIndex + records.count / 2
      try save(records[..<middle], in: &store)
      try save(records[middle...], in: &store)
    }
  }
}
