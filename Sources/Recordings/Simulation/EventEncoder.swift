package import Weighing

/// A contact that a simulated pad reports.
package struct SeenContact: Hashable, Sendable {
  /// The index of the contact in the script.
  package var index: Int
  /// The slot of the contact.
  package var slot: Int
  /// Whether the contact is a finger.
  var isFinger: Bool
  /// The force in grams, which determines its share of the counts.
  var applied: Double
  package var position: Position
  package var counts: Int32

  package init(
    index: Int, slot: Int, isFinger: Bool = false, applied: Double = 0, position: Position, counts: Int32 = 0
  ) {
    (self.index, self.slot, self.isFinger) = (index, slot, isFinger)
    (self.applied, self.position, self.counts) = (applied, position, counts)
  }
}

/// Converts contacts to events like a driver and the kernel's input core: a value that has not changed is not sent, and
/// a frame without changes is not sent at all (drivers/input/input.c, `input_get_disposition`).
package struct EventEncoder: Sendable {
  private let form: PadProtocol
  private var slots = [Slot](repeating: Slot(), count: PadProtocol.slotCount)
  private var currentSlot = 0
  private var nextTrackingID: Int32 = 0
  private var isTouching = false
  private var x: Int32 = 0
  private var y: Int32 = 0
  private var pressure: Int32 = 0
  private var corners = [Int32](repeating: 0, count: PlatformCorner.allCases.count)

  private struct Slot: Sendable {
    var holder: Int?
    var x: Int32 = 0
    var y: Int32 = 0
    var pressure: Int32 = 0
  }

  package init(form: PadProtocol) { self.form = form }

  /// Appends the events of one sample, the contacts ordered by slot.
  package mutating func encode(_ contacts: [SeenContact], at time: Instant, to events: inout [InputEvent]) {
    let before = events.count
    switch form {
    case .slots: encodeSlots(contacts, time, &events)
    case .listed: encodeList(contacts, time, &events)
    case .single: encodeSingle(contacts, time, &events)
    case .plain(let code):
      let total = contacts.reduce(0) { $0 + $1.counts }
      set(&pressure, to: total, code, time, &events)
    case .corners: encodeCorners(contacts, time, &events)
    }
    if events.count > before { events.append(.init(time: time, type: .synchronization, code: 0, value: 0)) }
  }

  private mutating func encodeSlots(_ contacts: [SeenContact], _ time: Instant, _ events: inout [InputEvent]) {
    for slot in slots.indices where slots[slot].holder != nil {
      guard !contacts.contains(where: { $0.slot == slot && $0.index == slots[slot].holder }) else { continue }
      slots[slot].holder = nil
      select(slot, time, &events)
      events.append(.init(time: time, type: .absolute, code: AxisCode.trackingID.rawValue, value: -1))
    }
    for contact in contacts {
      let slot = contact.slot
      let (x, y) = Self.place(contact.position)
      let isNew = slots[slot].holder != contact.index
      guard
        isNew || slots[slot].x != x || slots[slot].y != y || slots[slot].pressure != contact.counts
      else { continue }
      select(slot, time, &events)
      if isNew {
        slots[slot].holder = contact.index
        events.append(.init(time: time, type: .absolute, code: AxisCode.trackingID.rawValue, value: nextTrackingID))
        nextTrackingID = (nextTrackingID + 1) & 0xffff
      }
      set(&slots[slot].x, to: x, .multitouchX, time, &events)
      set(&slots[slot].y, to: y, .multitouchY, time, &events)
      set(&slots[slot].pressure, to: contact.counts, .multitouchPressure, time, &events)
    }
    touch(!contacts.isEmpty, time, &events)
  }

  private mutating func encodeList(_ contacts: [SeenContact], _ time: Instant, _ events: inout [InputEvent]) {
    // Without slots, the kernel cannot detect repeated values of a contact, and sends all of them.
    for contact in contacts {
      let (x, y) = Self.place(contact.position)
      events.append(.init(time: time, type: .absolute, code: AxisCode.multitouchX.rawValue, value: x))
      events.append(.init(time: time, type: .absolute, code: AxisCode.multitouchY.rawValue, value: y))
      events.append(
        .init(time: time, type: .absolute, code: AxisCode.multitouchPressure.rawValue, value: contact.counts))
      events.append(.init(time: time, type: .synchronization, code: SynchronizationCode.multitouchReport, value: 0))
    }
    if contacts.isEmpty && isTouching {
      events.append(.init(time: time, type: .synchronization, code: SynchronizationCode.multitouchReport, value: 0))
    }
    touch(!contacts.isEmpty, time, &events)
  }

  private mutating func encodeSingle(_ contacts: [SeenContact], _ time: Instant, _ events: inout [InputEvent]) {
    touch(!contacts.isEmpty, time, &events)
    if let contact = contacts.first {
      let (x, y) = Self.place(contact.position)
      set(&self.x, to: x, .x, time, &events)
      set(&self.y, to: y, .y, time, &events)
    }
    set(&pressure, to: contacts.reduce(0) { $0 + $1.counts }, .pressure, time, &events)
  }

  /// Divides every contact among the corners, so that moments and sum are right.
  private mutating func encodeCorners(_ contacts: [SeenContact], _ time: Instant, _ events: inout [InputEvent]) {
    func share(_ counts: Int32, _ fraction: Double) -> Int32 { Int32((Double(counts) * fraction).rounded()) }
    var sums = [Int32](repeating: 0, count: corners.count)
    for contact in contacts {
      let right = share(contact.counts, contact.position.x)
      let left = contact.counts - right
      let bottom = (right: share(right, contact.position.y), left: share(left, contact.position.y))
      sums[PlatformCorner.topRight.rawValue] += right - bottom.right
      sums[PlatformCorner.bottomRight.rawValue] += bottom.right
      sums[PlatformCorner.topLeft.rawValue] += left - bottom.left
      sums[PlatformCorner.bottomLeft.rawValue] += bottom.left
    }
    let codes: [AxisCode] = [.hat0X, .hat0Y, .hat1X, .hat1Y]
    for index in corners.indices { set(&corners[index], to: sums[index], codes[index], time, &events) }
  }

  private mutating func select(_ slot: Int, _ time: Instant, _ events: inout [InputEvent]) {
    guard slot != currentSlot else { return }
    currentSlot = slot
    events.append(.init(time: time, type: .absolute, code: AxisCode.slot.rawValue, value: Int32(slot)))
  }

  private mutating func touch(_ touches: Bool, _ time: Instant, _ events: inout [InputEvent]) {
    guard touches != isTouching else { return }
    isTouching = touches
    for key in [KeyCode.touch, .toolFinger] {
      events.append(.init(time: time, type: .key, code: key.rawValue, value: touches ? 1 : 0))
    }
  }

  private func set(
    _ old: inout Int32, to new: Int32, _ code: AxisCode, _ time: Instant, _ events: inout [InputEvent]
  ) {
    guard old != new else { return }
    old = new
    events.append(.init(time: time, type: .absolute, code: code.rawValue, value: new))
  }

  private static func place(_ position: Position) -> (x: Int32, y: Int32) {
    func count(_ fraction: Double, _ range: AxisRange) -> Int32 {
      Int32((min(max(fraction, 0), 1) * Double(range.maximum)).rounded())
    }
    return (count(position.x, PadProtocol.x), count(position.y, PadProtocol.y))
  }
}
