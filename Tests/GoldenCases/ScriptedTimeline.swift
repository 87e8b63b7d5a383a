import Recordings
import Weighing

/// What happens on a scripted device, sample by sample.
///
/// `EventEncoder` turns it into events as the kernel does: repeated values and frames without any change are not sent.
struct ScriptedTimeline {
  /// One change of one contact.
  enum Change {
    /// A new force, a new position or both; a contact that is not on the pad is put on it.
    case set(Int32?, Position?)
    case lifted
  }

  private struct Sample {
    var changes: [(contact: Int, change: Change, line: Int)] = []
    var keys: [(code: KeyCode, value: Int32)] = []
    var isDropped = false
  }

  private let device: ScriptedDevice
  /// The contacts by index, in the order of their first line.
  private var names: [String] = []
  /// By time in microseconds.
  private var samples: [Int64: Sample] = [:]

  init(_ device: ScriptedDevice) {
    self.device = device
  }

  /// Adds a change of a contact.
  ///
  /// - Parameter line: The line that an error names.
  mutating func add(_ change: Change, of name: String, at time: Int64, line: Int) throws(ScriptLineError) {
    let contact = names.firstIndex(of: name) ?? names.count
    if contact == names.count { names.append(name) }
    if samples[time]?.changes.contains(where: { $0.contact == contact }) == true {
      throw ScriptLineError("\(name) already changes at \(Double(time) / 1e6)")
    }
    samples[time, default: Sample()].changes.append((contact, change, line))
  }

  /// Adds a change of a key, in a separate frame after that of the pad.
  mutating func addKey(_ code: KeyCode, value: Int32, at time: Int64) {
    samples[time, default: Sample()].keys.append((code, value))
  }

  /// Adds SYN_DROPPED, in a separate frame before that of the pad.
  mutating func addDropped(at time: Int64) {
    samples[time, default: Sample()].isDropped = true
  }

  /// The events of the device.
  ///
  /// - Throws: An error in `file` when a contact comes without force or position, or leaves without being there.
  func events(file: String) throws(ScriptError) -> [InputEvent] {
    var encoder = EventEncoder(form: device.form ?? .slots)
    var contacts: [SeenContact] = []
    var events: [InputEvent] = []
    for time in times {
      let sample = samples[time] ?? Sample()
      for (contact, change, line) in sample.changes.sorted(by: { $0.contact < $1.contact }) {
        do throws(ScriptLineError) {
          try apply(change, to: contact, in: &contacts)
        } catch { throw ScriptError(file: file, line: line, reason: error.text) }
      }
      let instant = Instant(seconds: 0, microseconds: time)
      func append(_ type: EventType, _ code: UInt16, _ value: Int32) {
        events.append(InputEvent(time: instant, type: type, code: code, value: value))
      }
      if sample.isDropped {
        append(.synchronization, SynchronizationCode.dropped, 0)
        append(.synchronization, SynchronizationCode.report, 0)
      }
      if device.form != nil { encoder.encode(contacts, at: instant, to: &events) }
      for key in sample.keys {
        append(.key, key.code.rawValue, key.value)
        append(.synchronization, SynchronizationCode.report, 0)
      }
    }
    return events
  }

  /// The times of all samples: those of protocol A also report contacts that do not change.
  private var times: [Int64] {
    guard let last = samples.keys.max(), let period = device.period else { return samples.keys.sorted() }
    return Set(samples.keys).union(stride(from: 0, through: last, by: Int64.Stride(period))).sorted()
  }

  private func apply(_ change: Change, to contact: Int, in contacts: inout [SeenContact]) throws(ScriptLineError) {
    let index = contacts.firstIndex { $0.index == contact }
    switch (change, index) {
    case (.lifted, let index?): contacts.remove(at: index)
    case (.lifted, nil): throw ScriptLineError("\(names[contact]) is lifted but is not on the pad")
    case (.set(let force, let position), let index?):
      if let force { contacts[index].counts = force }
      if let position { contacts[index].position = position }
    case (.set(let force, let position), nil):
      guard let force else { throw ScriptLineError("\(names[contact]) comes to the pad without a force") }
      guard let position = position ?? plainPosition else {
        throw ScriptLineError("\(names[contact]) comes to the pad without a position, for example \(force)@0.5,0.5")
      }
      let slot = contacts.indices.first { contacts[$0].slot != $0 } ?? contacts.count
      guard slot < PadProtocol.slotCount else {
        throw ScriptLineError("there are more than \(PadProtocol.slotCount) contacts")
      }
      contacts.insert(
        SeenContact(index: contact, slot: slot, position: position, counts: force), at: slot)
    }
  }

  /// Any position, for a device that reports none.
  private var plainPosition: Position? {
    if case .plain = device.form { LoadScript.middle } else { nil }
  }
}
