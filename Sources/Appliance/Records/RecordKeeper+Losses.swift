import EventLoop
import Journal
import Logging
import Weighing

/// Losses: those that the journal has found, and those that the broker's retained health shows.
extension RecordKeeper {
  /// Tells of weighings that are lost, and marks them as announced while there is a broker to announce them to.
  func tellLosses(_ state: inout State) {
    for loss in journal.takeLosses() {
      logger.error(
        "weighings are lost; the sequence goes on above them",
        metadata: [
          "journal.path": "\(place.text)", "journal.lost": "\(loss.from)...\(loss.to)",
          "journal.kept_aside": "\(loss.keptAside ?? "nothing")", "journal.reason": "\(loss.reason)",
        ])
      state.hasLosses = true
      onOutput(.loss(loss))
    }
    state.sequence = journal.sequence ?? state.sequence
    if state.hasLosses, state.isConnected {
      read(&state) { () throws(JournalError) in try journal.markLossesAnnounced() }
      state.hasLosses = state.readFault != nil
    }
  }

  /// Compares the journal with what the broker has kept of an earlier connection.
  func compare(_ seen: Int, _ state: inout State) {
    guard state.comparison.isPending else { return }
    let own = journal.sequence ?? 0
    if seen > own, seen - own > SequenceComparison.limit {
      logger.error(
        "the broker's retained health names a sequence that is too far ahead to be believed; it is not used",
        metadata: ["journal.sequence": "\(own)", "health.journal.sequence": "\(seen)"])
    } else if seen > own {
      write(&state) { () throws(JournalError) in
        try journal.skip(
          to: seen,
          reason: "the broker's retained health names \(seen) as the highest sequence, the journal ends at \(own)",
          keptAside: journal.copyAside(), at: .wallClock())
      }
      // A journal that cannot be written now is compared again at the next start.
      state.sequence = max(seen, own)
    }
    state.comparison.end()
  }
}
