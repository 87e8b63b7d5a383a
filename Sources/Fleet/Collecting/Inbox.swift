import Linux
import Synchronization

/// What was received and not stored yet, between the thread of the link and that of the collector.
///
/// It is bounded. What does not fit is dropped: the gap in the sequence brings it back.
final class Inbox: Sendable {
  /// What is taken from it at once.
  struct Batch: Sendable {
    var records: [CollectedRecord] = []
    /// The newest health of each device.
    var health: [String: CollectedHealth] = [:]
    /// What each device has answered, together.
    var reports: [String: ResendReport] = [:]
    var isEmpty: Bool { records.isEmpty && health.isEmpty && reports.isEmpty }
  }

  /// Maximum number of records.
  static let capacity = 20_000
  /// Maximum number of devices with health, and of reports.
  static let deviceCapacity = 100_000
  /// Maximum size of all of it: 20,000 records of the usual 250 bytes, and the health of 60,000 devices.
  static let byteCapacity = 64 << 20

  private struct State: Sendable {
    var batch = Batch()
    /// The sizes.
    var recordBytes = 0
    var healthBytes = 0
    var reportBytes = 0
    var dropped = 0

    /// Adds a message; returns `false` if there is no room.
    mutating func append(_ message: CollectedMessage) -> Bool {
      guard recordBytes + healthBytes + reportBytes < Inbox.byteCapacity else { return false }
      switch message {
      case .weighing(let record):
        guard batch.records.count < Inbox.capacity else { return false }
        batch.records.append(record)
        recordBytes += record.row.bytes.count
      case .health(let device, var health):
        let former = batch.health[device]
        guard batch.health.count < Inbox.deviceCapacity || former != nil else { return false }
        // After a reconnection the broker repeats what was received before.
        health.isRetained = health.isRetained && former?.isRetained ?? true
        batch.health[device] = health
        healthBytes += health.payload.count - (former?.payload.count ?? 0)
      case .resent(let device, let report):
        guard batch.reports.count < Inbox.capacity || batch.reports[device] != nil else { return false }
        batch.reports[device, default: ResendReport(missing: [], last: nil)].append(report)
        reportBytes += report.missing.count * MemoryLayout<ClosedRange<Int>>.stride
      }
      return true
    }
  }

  private let state = Mutex(State())
  /// Raised when there is something to take, and was not before.
  let wake = Signal()

  /// Adds a message.
  func append(_ message: CollectedMessage) {
    let wasEmpty = state.withLock { state in
      let wasEmpty = state.batch.isEmpty
      if !state.append(message) { state.dropped += 1 }
      return wasEmpty
    }
    if wasEmpty { wake.raise() }
  }

  /// Takes up to `count` records, and once these are all, the answers and the health: health that was received after a
  /// record must not make it look missing.
  func take(_ count: Int, withHealth: Bool) -> Batch {
    state.withLock { state in
      var batch = Batch()
      if state.batch.records.count > count {
        batch.records = Array(state.batch.records[..<count])
        state.batch.records.removeSubrange(..<count)
        state.recordBytes -= batch.records.reduce(0) { $0 + $1.row.bytes.count }
        return batch
      }
      swap(&batch, &state.batch)
      (state.recordBytes, state.reportBytes) = (0, 0)
      if withHealth { state.healthBytes = 0 } else { swap(&batch.health, &state.batch.health) }
      return batch
    }
  }

  var isEmpty: Bool { state.withLock { $0.batch.isEmpty } }

  /// Number of records.
  var count: Int { state.withLock { $0.batch.records.count } }

  /// Number of messages that were dropped since the last call.
  func takeDropped() -> Int {
    state.withLock { state in
      defer { state.dropped = 0 }
      return state.dropped
    }
  }
}
