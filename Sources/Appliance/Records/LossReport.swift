import Journal
import Logging

/// Tells of weighings that are lost, and marks them as announced while there is a broker to announce them to.
struct LossReport {
  private let logger: Logger
  private let path: String
  /// Whether losses were told of that have yet to be marked as announced.
  private var isPending = false
  private var isConnected = false

  init(path: String, logger: Logger) {
    self.path = path
    self.logger = logger
  }

  /// A connection to a broker stands.
  mutating func connect() { isConnected = true }

  /// The connection is lost.
  mutating func disconnect() { isConnected = false }

  /// Logs the losses that the journal has found and hands them to `body`.
  mutating func report(_ journal: Journal, _ faults: inout JournalFaults, _ body: (JournalLoss) -> Void) {
    for loss in journal.takeLosses() {
      logger.error(
        "weighings are lost; the sequence goes on above them",
        metadata: [
          "journal.path": "\(path)", "journal.lost": "\(loss.from)...\(loss.to)",
          "journal.kept_aside": "\(loss.keptAside ?? "nothing")", "journal.reason": "\(loss.reason)",
        ])
      isPending = true
      body(loss)
    }
    if isPending, isConnected {
      isPending = !faults.read { () throws(JournalError) in try journal.markLossesAnnounced() }
    }
  }
}
