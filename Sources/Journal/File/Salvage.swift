import GRDB
import Logging
import Weighing

/// Moves damaged files aside and keeps their state for the file that continues them.
struct Salvage {
  private let logger: Logger
  /// The state of an earlier file, for the next one.
  private(set) var state: SalvagedState?

  init(logger: Logger) { self.logger = logger }

  /// Moves a damaged file aside.
  ///
  /// - Parameters:
  ///   - opened: The open database; still open, so that closing it neither writes to the file nor removes its `-wal`.
  ///   - hasMark: Whether the high-water mark can be read.
  ///   - time: The time since 1970 in UTC.
  /// - Returns: The new path; `nil` if it could not be moved.
  mutating func moveAside(_ path: String, opened: DatabaseQueue?, hasMark: Bool, at time: Instant) -> String? {
    var found = SalvagedState(of: opened, reason: "the file was damaged")
    if opened == nil, let reading = try? DatabaseConnection(reading: path, reportedAs: path) {
      found = found.joined(SalvagedState(of: reading.queue, reason: found.reason))
    }
    guard let aside = DamagedFile(path).moveAside(at: time) else {
      logger.error("journal damaged; cannot move it aside", metadata: ["journal.path": "\(path)"])
      return nil
    }
    found.keptAside = aside
    if found.sequence == 0 { found = found.joined(DamagedFile(aside).salvaged(reason: found.reason)) }
    // If no number can be read, assume the highest that fits into the file: no number is assigned twice.
    if found.sequence == 0, !hasMark {
      found.sequence = DamagedFile(aside).mostWeighings
      if found.sequence > 0 {
        found.reason += "; its last sequence number is unknown, but at most \(found.sequence)"
      }
    }
    keep(found)
    logger.error(
      "journal damaged; moved it aside and started a new one",
      metadata: [
        "journal.path": "\(path)", "journal.kept_aside": "\(aside)", "journal.sequence": "\(state?.sequence ?? 0)",
      ])
    return aside
  }

  /// Keeps the state of a file: instead of an earlier one that this file continued from, else combined with it.
  mutating func keep(_ found: SalvagedState) {
    let wasUsed = state.map { found.counters[.journal, default: 0] > $0.counters[.journal, default: 0] } ?? true
    state = wasUsed ? found : state.map(found.joined)
  }
}
