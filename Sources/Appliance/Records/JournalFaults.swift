import Journal
import Logging

/// The current faults of the journal; each is logged once.
struct JournalFaults {
  private let logger: Logger
  /// Why the last write failed; `nil` after a successful one.
  private var writing: JournalError?
  /// Why the outbox could not be read; `nil` after a successful read.
  private var reading: JournalError?
  private var isReplaced = false

  init(logger: Logger) { self.logger = logger }

  /// The current fault, if any.
  var current: JournalError? { writing ?? reading }
  /// Whether the last attempt to read succeeded.
  var isReadable: Bool { reading == nil }

  /// Writes; returns whether it succeeded.
  @discardableResult
  mutating func write(_ body: () throws(JournalError) -> Void) -> Bool {
    do throws(JournalError) {
      try body()
      writing = nil
    } catch {
      report(error)
      writing = error
    }
    return writing == nil
  }

  /// Reads; returns whether it succeeded.
  @discardableResult
  mutating func read(_ body: () throws(JournalError) -> Void) -> Bool {
    do throws(JournalError) {
      try body()
      reading = nil
    } catch {
      report(error)
      reading = error
    }
    return reading == nil
  }

  /// Whether the file was replaced since the last read; true once.
  mutating func takeReplacement() -> Bool {
    defer { isReplaced = false }
    return isReplaced
  }

  private mutating func report(_ error: JournalError) {
    switch error {
    case .corrupt, .replaced: isReplaced = true
    case .notFound, .notPermitted, .cannotCreate, .full, .readOnly, .busy, .foreign, .newer, .versionMissing,
      .inUse, .markNotWritten, .nothingToVoid, .unknownWeighing, .other:
      break
    }
    guard ![writing, reading].contains(where: { $0?.description == error.description }) else { return }
    logger.error("journal unavailable", metadata: ["journal.reason": "\(error)"])
  }
}
