import Journal
import Logging

/// The current errors of the journal; each is logged once.
struct JournalErrors {
  private let logger: Logger
  /// Why the last write failed; `nil` after a successful one.
  private var writeError: JournalError?
  /// Why the outbox could not be read; `nil` after a successful read.
  private var readError: JournalError?

  init(logger: Logger) { self.logger = logger }

  /// The current error, if any.
  var current: JournalError? { writeError ?? readError }
  /// Whether there is an error.
  var isFailed: Bool { current != nil }
  /// Whether the last attempt to write failed.
  var isWritingFailed: Bool { writeError != nil }

  /// Whether another instance records into the journal.
  var isInUse: Bool { if case .inUse? = writeError { true } else { false } }

  /// Writes; returns whether it succeeded.
  @discardableResult
  mutating func write(_ body: () throws(JournalError) -> Void) -> Bool {
    do throws(JournalError) {
      try body()
      writeError = nil
    } catch {
      report(error)
      writeError = error
    }
    return writeError == nil
  }

  /// Reads; returns whether it succeeded.
  @discardableResult
  mutating func read(_ body: () throws(JournalError) -> Void) -> Bool {
    do throws(JournalError) {
      try body()
      readError = nil
    } catch {
      report(error)
      readError = error
    }
    return readError == nil
  }

  private func report(_ error: JournalError) {
    guard ![writeError, readError].contains(where: { $0?.description == error.description }) else { return }
    logger.error("journal unavailable", metadata: ["journal.reason": "\(error)"])
  }
}
