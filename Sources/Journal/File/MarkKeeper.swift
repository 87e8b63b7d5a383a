import Logging

/// The high-water mark of an open journal, and the right to assign numbers.
struct MarkKeeper {
  /// `nil` for a journal in memory.
  private let mark: HighWaterMark?
  private let logger: Logger
  /// The highest sequence number known to be assigned; `nil` until the file was opened.
  private(set) var sequence: Int?
  /// Whether other instances are excluded from recording into the file.
  var isExclusive = false
  /// Held while this process assigns numbers, if it is exclusive.
  private var claim: HighWaterMark.Claim?
  /// The mark that could not be written or flushed.
  private var unwritten: (sequence: Int, digest: Digest?, announced: Int?)?
  /// Whether writing failed although the mark was not to be raised: it has to succeed before the next number is assigned.
  private var isSuspect = false

  init(_ location: JournalLocation, logger: Logger) {
    if case .file(let path) = location { mark = HighWaterMark(of: path) } else { mark = nil }
    self.logger = logger
  }

  /// Whether a weighing can be recorded without `prepare`.
  var isReady: Bool { unwritten == nil && !isSuspect && mayWrite }
  /// Whether the claim allows writing into the file.
  var mayWrite: Bool { !isExclusive || isClaimed }
  /// Whether no other instance records.
  var isClaimed: Bool { claim != nil || mark == nil }

  /// Writes a mark that could not be written, and claims the right to assign numbers if the journal is exclusive.
  ///
  /// - Parameter path: The path of the journal.
  mutating func prepare(path: String) throws(JournalError) {
    guard let mark else { return }
    if let unwritten {
      raise(to: unwritten.sequence, unwritten.digest, announced: unwritten.announced, isRepeated: true)
      if self.unwritten != nil { throw .markNotWritten(path: mark.path) }
    }
    if isSuspect {
      do {
        let value = try mark.read().value
        try mark.raise(to: value?.sequence ?? sequence ?? 0, value?.digest, isRepeated: true)
        isSuspect = false
      } catch {
        throw .markNotWritten(path: mark.path)
      }
    }
    guard isExclusive, claim == nil else { return }
    do {
      claim = try mark.claim()
    } catch {
      throw .markNotWritten(path: mark.path)
    }
    if claim == nil { throw .inUse(path: path) }
  }

  /// Claims the right to assign numbers if the journal is exclusive and no other instance has it.
  mutating func tryToClaim() { if isExclusive, claim == nil { claim = try? mark?.claim() } }

  /// The content of the mark; that of a journal in memory is missing.
  func read() throws(JournalError) -> HighWaterMark.Content {
    guard let mark else { return .missing }
    do {
      let content = try mark.read()
      if content == .damaged {
        logger.warning(
          "high-water mark of the journal damaged; rewriting it", metadata: ["journal.mark": "\(mark.path)"])
      }
      return content
    } catch {
      throw .other(path: mark.path, reason: "\(error)")
    }
  }

  /// The last weighing whose request was rejected; it may be in the journal, and even in the mark, if writing that failed late.
  func rejected() throws -> HighWaterMark.Value? {
    guard let intent = try mark?.intent(), intent.isRejected else { return nil }
    return intent.weighing
  }

  /// Writes, before its transaction is committed, which weighing it adds.
  mutating func writeIntent(_ weighing: HighWaterMark.Value?) throws(JournalError) {
    guard let mark, let weighing else { return }
    do {
      try mark.write(HighWaterMark.Intent(weighing: weighing))
    } catch {
      isSuspect = true
      throw .markNotWritten(path: mark.path)
    }
  }

  /// Writes that the request of a weighing was rejected; returns whether that is on disk.
  func writeRejection(of weighing: HighWaterMark.Value) -> Bool {
    (try? mark?.write(HighWaterMark.Intent(weighing: weighing, isRejected: true))) != nil
  }

  /// Raises the mark for a weighing on disk, before its number is confirmed. If only flushing it fails, the weighing is confirmed:
  /// a new process finds the mark.
  ///
  /// - Throws: `markNotWritten` if the weighing cannot be confirmed.
  mutating func confirm(_ weighing: HighWaterMark.Value) throws(JournalError) {
    guard !raise(to: weighing.sequence, weighing.digest), let mark else { return }
    // Raised later, the mark would confirm a weighing whose request was rejected.
    (unwritten, isSuspect) = (nil, true)
    throw .markNotWritten(path: mark.path)
  }

  /// Raises the mark; after a failure, `prepare` tries again.
  ///
  /// - Returns: Whether a new process finds the mark, although it may not have been flushed to disk.
  @discardableResult
  mutating func raise(
    to sequence: Int, _ digest: Digest?, announced: Int? = nil, isRepeated: Bool = false
  ) -> Bool {
    self.sequence = max(sequence, self.sequence ?? 0)
    guard let mark else { return true }
    do throws(HighWaterMark.RaiseError) {
      try mark.raise(to: sequence, digest, announced: announced, isRepeated: isRepeated)
      unwritten = nil
      return true
    } catch {
      let isKnown = unwritten != nil || isSuspect
      unwritten = (sequence, digest, announced)
      if isKnown { return error.isWritten }
      logger.error(
        "cannot write the high-water mark of the journal; recording is suspended until this succeeds",
        metadata: ["journal.mark": "\(mark.path)", "journal.reason": "\(error)"])
      return error.isWritten
    }
  }
}
