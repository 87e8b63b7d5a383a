import Weighing

/// What the records so far add up to, and what is wrong with the next one.
struct ChainWalk {
  /// What the head should be after the last record.
  private(set) var head = Head()
  /// The losses that the audit trail tells of.
  private(set) var losses: [JournalLoss] = []
  private var lastID: WeighingID?

  /// Takes the next record.
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
      report(.missing, expected == last ? "record \(expected) is gone" : "records \(expected) to \(last) are gone")
    } else if stored.position < expected {
      report(.altered, "there are two records at position \(stored.position)")
    } else if !stored.link.isOfKnownVersion || stored.link.hash(after: head.hash) != stored.hash {
      report(.altered, "the record is not what was recorded after the one before it")
    }
    head.position = stored.position
    head.hash = stored.hash
    switch stored.link.table {
    case .weighings:
      if let record = RecordedWeighing(stored.link) {
        check(record, version: stored.link.version).forEach { report(.inconsistent, $0) }
      } else {
        report(.altered, "the weighing cannot be understood")
      }
    case .audit:
      if let record = AuditRecord(stored.link) {
        check(record).forEach { report(.inconsistent, $0) }
      } else {
        report(.altered, "the entry of the audit trail cannot be understood")
      }
    }
    return faults
  }

  private mutating func check(_ record: RecordedWeighing, version: Int) -> [String] {
    var wrong: [String] = []
    if record.sequence != head.sequence + 1 { wrong.append("weighing \(record.sequence) follows \(head.sequence)") }
    if record.calibrationCounter != head.counters[.calibration] ?? 0 {
      wrong.append("it names calibration \(record.calibrationCounter), not the one in force")
    }
    if let lastID, (record.id.high, record.id.low) <= (lastID.high, lastID.low) {
      wrong.append("its identifier is not later than the one before")
    }
    // Version 1 could void nothing but the record before; for later ones see `Verifier.checkReferences`.
    if version == 1, let voids = record.voids, voids != lastID {
      wrong.append("it voids another weighing than the one before it")
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
      // Numbers above the last one are a gap, which has to begin right there; others are those of another file.
      if loss.to > head.sequence {
        if loss.from > head.sequence + 1 { wrong.append("it reports \(loss.from) as lost after \(head.sequence)") }
        head.sequence = loss.to
      }
    }
    if record.sequence != head.sequence { wrong.append("it names weighing \(record.sequence) as the last one") }
    let counter = (head.counters[record.entry.kind] ?? 0) + 1
    if record.counter != counter { wrong.append("it counts \(record.counter) instead of \(counter)") }
    head.counters[record.entry.kind] = record.counter
    return wrong
  }
}
