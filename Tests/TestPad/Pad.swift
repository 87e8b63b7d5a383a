import CEvdev
import Glibc

/// A uinput pad and its current contacts.
struct Pad: ~Copyable {
  private let shape: PadShape
  private let device: OpaquePointer
  private var touching: [Contact]
  private var nextTracking: Int32

  init(_ shape: PadShape) throws(PadError) {
    // The call that can fail comes first, because Swift 6.2 destroys properties twice if a failing initialiser of a
    // noncopyable type has set them.
    device = try shape.plugIn()
    self.shape = shape
    touching = []
    nextTracking = 1
  }

  deinit { libevdev_uinput_destroy(device) }

  /// The path of the event device, for example `/dev/input/event0`.
  var node: String { libevdev_uinput_get_devnode(device).map { String(cString: $0) } ?? "none" }

  private var descriptor: Int32 { libevdev_uinput_get_fd(device) }

  /// Sends one frame with exactly these contacts.
  mutating func touch(_ contacts: [Contact]) throws(PadError) {
    var frame = EventBatch()
    guard !shape.kind.isKeyboard, shape.kind != .board else { throw PadError("this device has no contacts") }
    if shape.kind == .multitouch { try addSlots(contacts, to: &frame) }
    guard shape.kind == .multitouch || contacts.count < 2 else { throw PadError("this pad reports only one contact") }
    frame.add(EV_KEY, BTN_TOUCH, contacts.isEmpty ? 0 : 1)
    frame.add(EV_KEY, BTN_TOOL_FINGER, contacts.count == 1 ? 1 : 0)
    frame.add(EV_KEY, BTN_TOOL_DOUBLETAP, contacts.count == 2 ? 1 : 0)
    if let first = contacts.first {
      if shape.x != nil { frame.add(EV_ABS, ABS_X, first.x) }
      if shape.y != nil { frame.add(EV_ABS, ABS_Y, first.y) }
    }
    if shape.kind != .plain {
      frame.add(EV_ABS, Int32(shape.pressureCode), contacts.first?.pressure ?? shape.pressure.minimum)
    }
    frame.add(EV_SYN, SYN_REPORT, 0)
    try frame.write(to: descriptor)
    touching = contacts
  }

  /// Sends one frame with these forces on the corners of a board.
  mutating func press(_ corners: [Int32]) throws(PadError) {
    guard shape.kind == .board, corners.count == PadShape.corners.count else {
      throw PadError("only a board has corners: write TOP-RIGHT BOTTOM-RIGHT TOP-LEFT BOTTOM-LEFT")
    }
    var frame = EventBatch()
    for (code, force) in zip(PadShape.corners, corners) { frame.add(EV_ABS, code, force) }
    frame.add(EV_SYN, SYN_REPORT, 0)
    try frame.write(to: descriptor)
  }

  /// Protocol B: a lifted contact gets the tracking identifier -1, a new contact the next number.
  private mutating func addSlots(_ contacts: [Contact], to frame: inout EventBatch) throws(PadError) {
    guard contacts.allSatisfy({ (0..<shape.slots).contains($0.slot) }),
      Set(contacts.map(\.slot)).count == contacts.count
    else { throw PadError("the slots are 0 to \(shape.slots - 1), each once") }
    for gone in touching where !contacts.contains(where: { $0.slot == gone.slot }) {
      frame.add(EV_ABS, ABS_MT_SLOT, gone.slot)
      frame.add(EV_ABS, ABS_MT_TRACKING_ID, -1)
    }
    for contact in contacts {
      frame.add(EV_ABS, ABS_MT_SLOT, contact.slot)
      if !touching.contains(where: { $0.slot == contact.slot }) {
        frame.add(EV_ABS, ABS_MT_TRACKING_ID, nextTracking)
        nextTracking = (nextTracking + 1) % 65536
      }
      if shape.x != nil { frame.add(EV_ABS, ABS_MT_POSITION_X, contact.x) }
      if shape.y != nil { frame.add(EV_ABS, ABS_MT_POSITION_Y, contact.y) }
      frame.add(EV_ABS, ABS_MT_PRESSURE, contact.pressure)
    }
  }

  /// Sends the events of a recording unchanged.
  func send(_ batch: EventBatch) throws(PadError) { try batch.write(to: descriptor) }

  /// Presses (1) or releases (0) a key, in a separate frame.
  func key(_ name: String, _ value: Int32) throws(PadError) {
    let code = libevdev_event_code_from_name(UInt32(EV_KEY), name)
    guard code >= 0 else { throw PadError("there is no key `\(name)`") }
    var frame = EventBatch()
    frame.add(EV_KEY, code, value)
    frame.add(EV_SYN, SYN_REPORT, 0)
    try frame.write(to: descriptor)
  }

  /// Types a text on a keyboard of the US layout, all in one write: less than 64 events fit into the buffer of a reader.
  ///
  /// `\n` is Enter. Every key is pressed and released in a separate frame.
  func type(_ text: String) throws(PadError) {
    var frames = EventBatch()
    func add(_ code: Int32, _ value: Int32) {
      frames.add(EV_KEY, code, value)
      frames.add(EV_SYN, SYN_REPORT, 0)
    }
    for character in text.replacing("\\n", with: "\n") {
      let name = ["\n": "ENTER", "-": "MINUS", " ": "SPACE"][character] ?? character.uppercased()
      let code = libevdev_event_code_from_name(UInt32(EV_KEY), "KEY_" + name)
      guard code >= 0 else { throw PadError("there is no key for `\(character)`") }
      if character.isUppercase { add(KEY_LEFTSHIFT, 1) }
      add(code, 1)
      add(code, 0)
      if character.isUppercase { add(KEY_LEFTSHIFT, 0) }
    }
    try frames.write(to: descriptor)
  }

  /// Returns the events that other programs have written to the pad, for example `LED_MISC=1`, and waits up to
  /// `milliseconds` for the first one.
  ///
  /// This function also handles uploads and removals of force feedback effects, for which other programs wait.
  func feedback(milliseconds: Int32) throws(PadError) -> [String] {
    var answers: [String] = []
    var timeout = milliseconds
    while let event = try InputStream(descriptor: descriptor).next(milliseconds: timeout) {
      timeout = 0
      switch Int32(event.type) {
      case EV_SYN: continue
      case EV_FF: answers.append("shake=\(event.code):\(event.value)")
      case ShakeRequest.type: answers.append(try ShakeRequest(event, descriptor).answer())
      case _:
        let name = libevdev_event_code_get_name(UInt32(event.type), UInt32(event.code))
        answers.append("\(name.map { String(cString: $0) } ?? "\(event.type)/\(event.code)")=\(event.value)")
      }
    }
    return answers
  }
}
