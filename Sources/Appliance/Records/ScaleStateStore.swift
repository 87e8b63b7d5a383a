import Journal
import Logging
import Weighing

/// Stores the state of the scale (tare, epoch, plate) in the journal's file.
///
/// The scale does not wait for the disk. If the process is killed, state that was published but not stored is lost, but
/// its epochs are reserved: the next run does not use them again.
struct ScaleStateStore {
  /// The newest state; `nil` until the state of the last run has been read.
  private var state: ScaleMemory?
  /// Whether `state` still has to be stored.
  private(set) var isPending = false

  /// Maximum number of epochs that a run may publish before a state is on disk.
  private static let reservedEpochs = 1000

  /// Reads the state of the last run, and reserves the epochs of this run with the next `store`; `nil` if there is no
  /// state.
  mutating func restore(from journal: Journal, logger: Logger) throws(JournalError) -> ScaleMemory? {
    let stored: ScaleMemory?
    switch try journal.scaleState() {
    case .none: stored = nil
    case .state(let memory): stored = memory
    case .damaged:
      logger.warning("stored tare and plate are corrupt; starting without them")
      stored = nil
    }
    // If the journal could not be opened at the start, this run has a newer state by now.
    var newest = state ?? stored ?? ScaleMemory()
    newest.highestEpoch = max(newest.highestEpoch, stored?.highestEpoch ?? 0)
    replace(by: newest)
    return stored
  }

  /// Replaces the state to store.
  mutating func replace(by state: ScaleMemory) {
    self.state = state
    isPending = true
  }

  /// Marks the state to be stored again, because the journal has a new file.
  mutating func repeatStore() { isPending = state != nil }

  /// Stores the state if it has changed; after a failure, the next call retries.
  mutating func store(in journal: Journal, _ errors: inout JournalErrors) {
    guard isPending, let state else { return }
    isPending = !errors.write { () throws(JournalError) in
      try journal.store(state, reserving: Self.reservedEpochs)
    }
  }

  /// Stores the state at the end of a run, which publishes no further epoch.
  mutating func finish(in journal: Journal, _ errors: inout JournalErrors) {
    guard let state else { return }
    errors.write { () throws(JournalError) in try journal.store(state) }
  }
}
