import Journal
import Logging
import Weighing

/// Keeps the state of the scale (tare, epoch, plate) in the journal's file.
///
/// The scale does not wait for the disk. What a run that is killed has published and not stored is lost, but its epochs are
/// reserved: the next run uses none of them again.
struct ScaleStateStore {
  /// The newest state; `nil` until the one of the last run was looked for.
  private var state: ScaleMemory?
  /// Whether `state` has yet to be stored.
  private(set) var isPending = false

  /// How many epochs a run may publish before a state is on disk.
  private static let reservedEpochs = 1000

  /// Reads the state of the last run, and reserves the epochs of this one with the next `store`; `nil` where there is none.
  mutating func restore(from journal: Journal, logger: Logger) throws(JournalError) -> ScaleMemory? {
    let stored: ScaleMemory?
    switch try journal.scaleState() {
    case .none: stored = nil
    case .state(let memory): stored = memory
    case .damaged:
      logger.warning("stored tare and plate are corrupt; starting without them")
      stored = nil
    }
    replace(by: stored ?? ScaleMemory())
    return stored
  }

  /// Replaces the state that is to be stored.
  mutating func replace(by state: ScaleMemory) {
    self.state = state
    isPending = true
  }

  /// Stores the state again with the next `store`: the journal's file is another one.
  mutating func repeatStore() { isPending = state != nil }

  /// Stores the state where it has changed; tried again with the next call if that fails.
  mutating func store(in journal: Journal, _ faults: inout JournalFaults) {
    guard isPending, let state else { return }
    isPending = !faults.write { () throws(JournalError) in
      try journal.store(state, reserving: Self.reservedEpochs)
    }
  }

  /// Stores the state at the end of a run, which will publish no further epoch.
  mutating func finish(in journal: Journal, _ faults: inout JournalFaults) {
    guard let state else { return }
    faults.write { () throws(JournalError) in try journal.store(state) }
  }
}
