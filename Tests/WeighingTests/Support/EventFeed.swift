import Weighing

/// Feeds an assembler with events by name, one millisecond after the other.
final class EventFeed {
  var assembler: FrameAssembler
  private var time = Instant(nanoseconds: 0)

  init(_ pad: PadDescription, axis: AxisChoice = .automatic, rotation: Rotation = .none) throws {
    assembler = try FrameAssembler(pad: pad, axis: axis, rotation: rotation)
  }

  enum Item {
    case axis(AxisCode, Int32)
    case key(KeyCode, Int32)
    case sync(UInt16)

    static func slot(_ value: Int32) -> Item { .axis(.slot, value) }
    static func id(_ value: Int32) -> Item { .axis(.trackingID, value) }
    static func x(_ value: Int32) -> Item { .axis(.multitouchX, value) }
    static func y(_ value: Int32) -> Item { .axis(.multitouchY, value) }
    static func force(_ value: Int32) -> Item { .axis(.multitouchPressure, value) }
    static func touch(_ value: Int32) -> Item { .key(.touch, value) }
    static var end: Item { .sync(SynchronizationCode.multitouchReport) }
    static var dropped: Item { .sync(SynchronizationCode.dropped) }
    static var report: Item { .sync(SynchronizationCode.report) }
  }

  /// Hands over the events; the frames that they complete.
  func all(_ items: Item...) -> [Frame] {
    time = time + .milliseconds(1)
    return items.compactMap { item in
      switch item {
      case .axis(let code, let value):
        assembler.handle(InputEvent(time: time, type: .absolute, code: code.rawValue, value: value))
      case .key(let code, let value):
        assembler.handle(InputEvent(time: time, type: .key, code: code.rawValue, value: value))
      case .sync(let code): assembler.handle(InputEvent(time: time, type: .synchronization, code: code, value: 0))
      }
    }
  }

  /// Hands over the events and a report; the frame.
  func frame(_ items: Item...) -> Frame? {
    var last: Frame?
    for item in items + [.report] { if let frame = all(item).last { last = frame } }
    return last
  }
}

extension Frame {
  /// The counts of its contacts, in order.
  var counts: [Int] { contacts.map(\.raw.counts) }
  /// Their serials, in order.
  var serials: [UInt64] { contacts.map(\.serial) }
}
