import Weighing

/// The contact of one slot in one frame.
struct FrameContact: Hashable {
  /// Distinguishes successive touches in the same slot.
  var touch = 0
  var position = Position(x: 0.5, y: 0.5)
  /// The counts of the axis.
  var counts: Int32
}

/// The events of a pad by frame. As in the kernel, a value that has not changed is not sent.
struct FrameSequence {
  /// All events in order.
  private(set) var events: [InputEvent] = []
  /// The indices of the events of each frame, including its report.
  private(set) var frames: [Range<Int>] = []
  /// The time between two frames.
  let period: Interval

  private let kind: Kind
  private var slots: [FrameContact?]
  private var selected = 0
  private var time: Instant

  /// The kind of pad.
  enum Kind {
    /// A touchpad with ten slots (multitouch protocol B).
    case touchpad
    /// One touch, no positions: force is added to a load.
    case plate

    static let range = AxisRange(minimum: 0, maximum: 1023)

    var description: PadDescription {
      switch self {
      case .touchpad:
        PadDescription(
          name: "touchpad",
          axes: [
            .slot: AxisRange(minimum: 0, maximum: 9), .trackingID: AxisRange(minimum: 0, maximum: 0xffff),
            .multitouchX: AxisRange(minimum: 0, maximum: 2000), .multitouchY: AxisRange(minimum: 0, maximum: 1300),
            .multitouchPressure: Self.range,
          ], keys: [.touch, .toolFinger])
      case .plate: PadDescription(name: "plate", axes: [.pressure: Self.range], keys: [.touch])
      }
    }
  }

  /// Makes a sequence that begins with an empty pad.
  init(_ kind: Kind, rate: Int, at start: Instant) {
    self.kind = kind
    period = Interval(nanoseconds: 1_000_000_000 / Int64(rate))
    time = start
    slots = Array(repeating: nil, count: 10)
  }

  /// Appends one frame with the contact of each slot.
  ///
  /// If nothing has changed, the frame consists of a key that does not affect the load.
  mutating func append(_ contacts: [FrameContact?]) {
    time = time + period
    let first = events.count
    switch kind {
    case .touchpad:
      for slot in slots.indices { touchpad(slot, slot < contacts.count ? contacts[slot] : nil) }
    case .plate:
      let contact = contacts.first ?? nil
      if (contact == nil) != (slots[0] == nil) { add(.key, KeyCode.touch.rawValue, contact == nil ? 0 : 1) }
      let counts = contact?.counts ?? 0
      if counts != slots[0]?.counts ?? 0 { add(.absolute, AxisCode.pressure.rawValue, counts) }
      slots[0] = contact
    }
    if events.count == first { add(.key, KeyCode.toolFinger.rawValue, Int32(frames.count & 1)) }
    add(.synchronization, SynchronizationCode.report, 0)
    frames.append(first..<events.count)
  }

  private mutating func touchpad(_ slot: Int, _ new: FrameContact?) {
    let old = slots[slot]
    guard new != old else { return }
    if selected != slot { add(.absolute, AxisCode.slot.rawValue, Int32(slot)) }
    selected = slot
    slots[slot] = new
    guard let new else { return add(.absolute, AxisCode.trackingID.rawValue, -1) }
    if old?.touch != new.touch { add(.absolute, AxisCode.trackingID.rawValue, Int32(new.touch * 10 + slot)) }
    let (x, y) = (Int32(new.position.x * 2000), Int32(new.position.y * 1300))
    if old.map({ Int32($0.position.x * 2000) }) != x { add(.absolute, AxisCode.multitouchX.rawValue, x) }
    if old.map({ Int32($0.position.y * 1300) }) != y { add(.absolute, AxisCode.multitouchY.rawValue, y) }
    if old?.counts != new.counts { add(.absolute, AxisCode.multitouchPressure.rawValue, new.counts) }
  }

  private mutating func add(_ type: EventType, _ code: UInt16, _ value: Int32) {
    events.append(InputEvent(time: time, type: type, code: code, value: value))
  }
}
