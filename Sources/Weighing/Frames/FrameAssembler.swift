/// Assembles the events of a device into frames, both for a live pad and for a recording.
///
/// evdev drops repeated values, so every value remains valid until it changes, those of a slot even beyond the lift of
/// a contact. Protocol A lists all contacts in each frame that has any and ends with BTN_TOUCH 0 or an empty list. See
/// Documentation/input/multi-touch-protocol.rst of the kernel.
///
/// Axes that are added are one contact while their sum is above zero.
///
/// After the first frames nothing is allocated: the array of contacts is reused.
public struct FrameAssembler: Sendable {
  /// The axis that measures the load.
  public let axis: LoadAxis
  /// Whether contacts have positions.
  public let hasPositions: Bool

  private let hasTouchKey: Bool
  private let rotation: Rotation
  private let xRange: AxisRange
  private let yRange: AxisRange

  private var slots: [Slot]
  private var sum: AxisSum
  private var currentSlot = 0
  private var listed = Slot()
  private var listedHasValues = false
  private var listing: [Slot] = []
  private var sawListing = false
  private var previous: [Slot] = []
  private var touching = false
  private var nextSerial: UInt64 = 1
  private var discarding = false
  private var followsGap = false
  private var frame = Frame(time: Instant(nanoseconds: 0))

  /// Makes an assembler for a device.
  ///
  /// - Throws: `UnsuitablePadError` if the device has no suitable axis.
  public init(
    pad: PadDescription, axis choice: AxisChoice = .automatic, rotation: Rotation = .none
  ) throws(UnsuitablePadError) {
    axis = try pad.loadAxis(choice)
    hasPositions = pad.hasPositions(for: axis)
    hasTouchKey = pad.keys.contains(.touch)
    self.rotation = rotation
    let unit = AxisRange(minimum: 0, maximum: 1)
    let multitouch = axis.kind == .slots || axis.kind == .listed
    xRange = pad.axes[multitouch ? .multitouchX : .x] ?? unit
    yRange = pad.axes[multitouch ? .multitouchY : .y] ?? unit
    let last = axis.kind == .slots ? Int(pad.axes[.slot]?.maximum ?? 0) : 0
    slots = Array(repeating: Slot(), count: min(max(last, 0), Self.maximumSlots - 1) + 1)
    sum = AxisSum(axis)
  }

  /// The maximum number of slots; no driver has more, whatever the description states.
  private static let maximumSlots = 256

  /// Processes one event; returns the frame if the event completes one.
  public mutating func handle(_ event: InputEvent) -> Frame? {
    if event.type == .synchronization {
      switch event.code {
      case SynchronizationCode.report: return report(at: event.time)
      case SynchronizationCode.dropped: discarding = true
      case SynchronizationCode.multitouchReport: if !discarding { endListed() }
      default: break  // SYN_CONFIG and future codes do not concern contacts
      }
      return nil
    }
    guard !discarding else { return nil }
    if event.type == .key, event.code == KeyCode.touch.rawValue {
      touching = event.value != 0
    } else if event.type == .absolute {
      absolute(AxisCode(rawValue: event.code), event.value)
    }
    return nil
  }

  /// Marks the next frame as following a gap: events were lost, and the caller has resynchronised the state itself.
  public mutating func markGap() { followsGap = true }

  private mutating func absolute(_ code: AxisCode, _ value: Int32) {
    switch axis.kind {
    case .slots:
      if code == .slot {
        currentSlot = Int(value)
      } else if slots.indices.contains(currentSlot) {
        if code == .trackingID {
          startOrEnd(slot: currentSlot, trackingID: value)
        } else {
          slots[currentSlot].set(code, value, load: axis.code, x: .multitouchX, y: .multitouchY)
        }
      }
    case .listed:
      guard code.isMultitouch else { return }
      listedHasValues = true
      if code == .trackingID { listed.trackingID = value }
      listed.set(code, value, load: axis.code, x: .multitouchX, y: .multitouchY)
    case .touch, .plain:
      slots[0].set(code, value, load: axis.code, x: .x, y: .y)
    case .sum, .corners:
      sum.set(code, value)
    }
  }

  private mutating func startOrEnd(slot: Int, trackingID: Int32) {
    if trackingID < 0 {
      slots[slot].serial = 0
    } else if slots[slot].serial == 0 || slots[slot].trackingID != trackingID {
      slots[slot].begin(serial: takeSerial())
    }
    slots[slot].trackingID = trackingID
  }

  private mutating func takeSerial() -> UInt64 {
    defer { nextSerial += 1 }
    return nextSerial
  }

  private mutating func endListed() {
    sawListing = true
    if listedHasValues && listing.count < Self.maximumSlots { listing.append(listed) }
    listed = Slot()
    listedHasValues = false
  }

  private mutating func report(at time: Instant) -> Frame? {
    if discarding {
      // Everything up to and including the first report after SYN_DROPPED is incomplete.
      discarding = false
      followsGap = true
      listed = Slot()
      listedHasValues = false
      listing.removeAll(keepingCapacity: true)
      sawListing = false
      return nil
    }
    switch axis.kind {
    case .slots: break
    case .listed: identifyListed()
    case .touch(let hasTouchKey): holdSingle(hasTouchKey ? touching : slots[0].load > axis.range.minimum)
    case .plain: holdSingle(slots[0].hasLoad && slots[0].load > axis.offset)
    case .sum, .corners: holdSingle(sum.raw > .zero)
    }
    frame.time = time
    frame.followsGap = followsGap
    followsGap = false
    frame.contacts.removeAll(keepingCapacity: true)
    for index in slots.indices where slots[index].serial != 0 {
      let contact = contact(slots[index])
      if slots[index].isNew {
        slots[index].isNew = false
        slots[index].origin = contact.origin
      }
      frame.contacts.append(contact)
    }
    // Insertion sort: there are few contacts, mostly in order already.
    for i in frame.contacts.indices.dropFirst() {
      var j = i
      while j > 0, frame.contacts[j - 1].serial > frame.contacts[j].serial {
        frame.contacts.swapAt(j - 1, j)
        j -= 1
      }
    }
    return frame
  }

  private mutating func holdSingle(_ touches: Bool) {
    if !touches {
      slots[0].serial = 0
    } else if slots[0].serial == 0 {
      slots[0].begin(serial: takeSerial())
    }
  }

  /// Assigns to every listed contact the serial number of the one it continues: by tracking id if the pad reports one,
  /// otherwise that of the nearest contact of the previous frame.
  private mutating func identifyListed() {
    // A frame without a list, of a button alone, does not change the contacts; BTN_TOUCH 0 ends them on a pad that has
    // it.
    guard sawListing else {
      if hasTouchKey && !touching && slots.contains(where: { $0.serial != 0 }) {
        slots.removeAll(keepingCapacity: true)
      }
      return
    }
    swap(&previous, &slots)
    slots.removeAll(keepingCapacity: true)
    for var entry in listing {
      var best: Int?
      for index in previous.indices where previous[index].serial != 0 {
        if entry.trackingID != previous[index].trackingID { continue }
        if let chosen = best, entry.distance(to: previous[chosen]) <= entry.distance(to: previous[index]) { continue }
        best = index
      }
      if let best {
        entry.serial = previous[best].serial
        entry.origin = previous[best].origin
        previous[best].serial = 0
      } else {
        entry.begin(serial: takeSerial())
      }
      slots.append(entry)
    }
    listing.removeAll(keepingCapacity: true)
    sawListing = false
  }

  private func contact(_ slot: Slot) -> Contact {
    var position: Position?
    if hasPositions {
      let isPlatform = axis.kind == .corners
      position = rotation.apply(
        isPlatform ? sum.centreOfForce : Position(x: xRange.fraction(slot.x), y: yRange.fraction(slot.y)))
    }
    let isSum = !axis.terms.isEmpty
    return Contact(
      serial: slot.serial, position: position, origin: slot.isNew ? position : slot.origin,
      raw: isSum ? sum.raw : RawForce(Int(slot.load) - Int(axis.offset)),
      isAtMaximum: isSum ? sum.isAtMaximum : slot.load >= axis.range.maximum)
  }
}

/// The values of one slot, which remain valid after the contact in it ends.
private struct Slot: Sendable {
  /// The serial number of the contact; 0 without a contact.
  var serial: UInt64 = 0
  var trackingID: Int32 = -1
  var x: Int32 = 0
  var y: Int32 = 0
  var load: Int32 = 0
  var hasLoad = false
  var isNew = false
  var origin: Position?

  mutating func begin(serial: UInt64) {
    self.serial = serial
    isNew = true
    origin = nil
  }

  mutating func set(_ code: AxisCode, _ value: Int32, load: AxisCode, x: AxisCode, y: AxisCode) {
    if code == load {
      self.load = value
      hasLoad = true
    }
    if code == x { self.x = value }
    if code == y { self.y = value }
  }

  func distance(to other: Slot) -> Double {
    let dx = Double(x) - Double(other.x)
    let dy = Double(y) - Double(other.y)
    return dx * dx + dy * dy
  }
}

extension AxisRange {
  /// A value as a fraction of the range, 0...1.
  fileprivate func fraction(_ value: Int32) -> Double {
    guard maximum > minimum else { return 0 }
    return min(max((Double(value) - Double(minimum)) / (Double(maximum) - Double(minimum)), 0), 1)
  }
}
