import Weighing

/// The expected state after the records so far, and the faults of the next record.
struct ChainWalk {
  /// The expected head after the last record.
  private(set) var head = Head()
  /// The losses in the audit trail.
  private(set) var losses: [JournalLoss] = []
  private var lastID: WeighingID?

  /// Checks the next record.
  mutating func step(_ stored: StoredLink) -> [Verification.Fault] {
    let sequence = stored.link.table == .weighings ? stored.link.values[1].integer : nil
    var faults: [Verification.Fault] = []
    func report(_ kind: Verification.Kind, _ description: String) {
      faults.append(
        Verification.Fault(kind: kind, position: stored.position, sequence: sequence, description: description))
    }
    let expected = head.position + 1
    if stored.position > expected {
      let last = stored.position - 1
      report(
        .missing, expected == last ? "record \(expected) is missing" : "records \(expected) to \(last) are missing")
    } else if stored.position < expected {
      report(.altered, "there are two records at position \(stored.position)")
    } else if !stored.link.isOfKnownVersion || stored.link.hash(after: head.hash) != stored.hash {
      report(.altered, "the hash of the record does not match its content and the record before it")
    }
    head.position = stored.position
    head.hash = stored.hash
    switch stored.link.table {
    case .weighings:
      if let record = RecordedWeighing(stored.link) {
        check(record, version: stored.link.version).forEach { report(.inconsistent, $0) }
      } else {
        report(.altered, "the weighing is invalid")
      }
    case .audit:
      if let record = AuditRecord(stored.link) {
        check(record).forEach { report(.inconsistent, $0) }
      } else {
        report(.altered, "the entry of the audit trail is invalid")
      }
    }
    return faults
  }

  private mutating func check(_ record: RecordedWeighing, version: Int) -> [String] {
    var wrong: [String] = []
    if record.sequence != head.sequence + 1 { wrong.append("weighing \(record.sequence) follows \(head.sequence)") }
    if record.calibrationCounter != head.counters[.calibration] ?? 0 {
      wrong.append("it refers to calibration \(record.calibrationCounter), which is not the current one")
    }
    if let lastID, (record.id.high, record.id.low) <= (lastID.high, lastID.low) {
      wrong.append("its id is not greater than the previous one")
    }
    // A void of version 1 always refers to the previous record; for later versions see `Verifier.checkReferences`.
    if version == 1, let voids = record.voids, voids != lastID {
      wrong.append("it voids a weighing other than the previous one")
    }
    head.sequence = record.sequence
    lastID = record.id
    return wrong
  }

  private mutating func check(_ record: AuditRecord) -> [String] {
    var wrong: [String] = []
    if record.position == 1, let base = record.entry.continuation {
      head.sequence = base.sequence
      for kind in AuditKind.allCases { head.counters[kind] = base.counters[kind.rawValue] ?? 0 }
    }
    if let loss = record.entry.loss {
      losses.append(loss)
      // Numbers above the last one are a gap, which has to start right there; others belong to another file.
      if loss.to > head.sequence {
        if loss.from > head.sequence + 1 { wrong.append("it reports \(loss.from) as lost after \(head.sequence)") }
        head.sequence = loss.to
      }
    }
    if record.sequence != head.sequence { wrong.append("it gives \(record.sequence) as the last weighing") }
    let counter = (head.counters[record.entry.kind] ?? 0) + 1
    if record.counter != counter { wrong.append("its counter is \(record.counter) instead of \(counter)") }
    head.counters[record.entry.kind] = record.counter
    return wrong
  }
}
