import EventLoop
import Messages
import Synchronization

/// What was received and not stored yet, between the thread of the link and that of the collector.
///
/// It is bounded. What does not fit is dropped: the gap in the sequence brings it back.
final class Inbox: Sendable {
  /// What is taken from it at once.
  struct Batch: Sendable {
    var records: [CollectedRecord] = []
    /// The newest health of each device.
    var health: [String: [UInt8]] = [:]
    var reports: [(device: String, report: ResendReport)] = []
    var isEmpty: Bool { records.isEmpty && health.isEmpty && reports.isEmpty }
  }

  /// Maximum number of records: about 15 MB.
  static let capacity = 20_000
  /// Maximum number of devices with health, and of reports.
  static let deviceCapacity = 100_000

  private struct State: Sendable {
    var batch = Batch()
    var dropped = 0
  }

  private let state = Mutex(State())
  /// Raised when there is something to take.
  let wake = Signal()

  /// Adds a message.
  func append(_ message: CollectedMessage) {
    state.withLock { state in
      switch message {
      case .weighing(let record):
        if state.batch.records.count < Self.capacity { state.batch.records.append(record) } else { state.dropped += 1 }
      case .health(let device, let payload):
        if state.batch.health.count < Self.deviceCapacity || state.batch.health[device] != nil {
          state.batch.health[device] = payload
        } else {
          state.dropped += 1
        }
      case .resent(let device, let report):
        if state.batch.reports.count < Self.capacity {
          state.batch.reports.append((device, report))
        } else {
          state.dropped += 1
        }
      }
    }
    wake.raise()
  }

  /// Takes up to `count` records and everything else.
  func take(_ count: Int) -> Batch {
    state.withLock { state in
      var batch = Batch()
      swap(&batch, &state.batch)
      if batch.records.count > count {
        state.batch.records = Array(batch.records[count...])
        batch.records.removeSubrange(count...)
      }
      return batch
    }
  }

  var isEmpty: Bool { state.withLock { $0.batch.isEmpty } }

  /// Number of messages that were dropped since the last call.
  func takeDropped() -> Int {
    state.withLock { state in
      defer { state.dropped = 0 }
      return state.dropped
    }
  }
}
