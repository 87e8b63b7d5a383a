import CEvdev
import CLinux
import Glibc
import Linux
import Weighing

extension EvdevDevice {
  /// Passes all pending events to `body`, in order. See libevdev_next_event(3).
  ///
  /// If the kernel's buffer has overflowed, `body` receives SYN_DROPPED and a SYN_REPORT, which end the incomplete
  /// frame, and then the current state of the device with a separate SYN_REPORT. Recorded in this order, the events are
  /// a complete recording, and a `FrameAssembler` makes one frame of the new state that follows a gap.
  ///
  /// - Throws: `EvdevError.lost` if the device was unplugged, or `.system`.
  package func readEvents(_ body: (InputEvent) -> Void) throws(EvdevError) {
    if !hasMonotonicStamps { stamps.beginReading(monotonic: .now(), realtime: .wallClock()) }
    var event = input_event()
    while true {
      let status = libevdev_next_event(handle, LIBEVDEV_READ_FLAG_NORMAL.rawValue, &event)
      switch status {
      case success:
        body(converted(event))
      case synchronizing:
        try resynchronize(dropped: event, body)
      case -EAGAIN:
        return
      case -EINTR:
        continue
      default:
        throw EvdevError(errno: -status, path: path, doing: "reading events")
      }
    }
  }

  /// Passes the state of all keys and axes after opening to `body` as events, including slots, ended by a SYN_REPORT.
  ///
  /// A device reports only changes; this reports the initial load. Call it before `readEvents`: events received since
  /// the opening follow there, and those already contained in the state change nothing. The kernel does not store the
  /// contacts of a protocol A pad: they are unknown until the pad reports them again.
  package func tellState(_ body: (InputEvent) -> Void) { tellState(at: .now(), body) }

  private func resynchronize(dropped: input_event, _ body: (InputEvent) -> Void) throws(EvdevError) {
    let lost = converted(dropped)
    // Recorded before the state is queried, so that no later event can appear older.
    let now = max(Instant.now(), lost.time)
    try synchronize()
    body(lost)
    body(InputEvent(time: lost.time, type: .synchronization, code: SynchronizationCode.report, value: 0))
    tellState(at: now, body)
  }

  /// Lets libevdev synchronise with the kernel. The differences it reports are dropped, because the whole state is
  /// reported instead.
  private func synchronize() throws(EvdevError) {
    var event = input_event()
    while true {
      let status = libevdev_next_event(handle, LIBEVDEV_READ_FLAG_SYNC.rawValue, &event)
      if status == -EAGAIN { return }
      guard status >= 0 || status == -EINTR else {
        throw EvdevError(errno: -status, path: path, doing: "reading the device state")
      }
    }
  }

  private func tellState(at time: Instant, _ body: (InputEvent) -> Void) {
    stamps.advance(to: time)
    func emit(_ type: EventType, _ code: UInt16, _ value: Int32) {
      body(InputEvent(time: time, type: type, code: code, value: value))
    }
    for code in state.keys { emit(.key, code, libevdev_get_event_value(handle, UInt32(EV_KEY), UInt32(code))) }
    for code in state.axes { emit(.absolute, code, libevdev_get_event_value(handle, UInt32(EV_ABS), UInt32(code))) }
    if state.slots > 0 {
      for slot in 0..<state.slots {
        emit(.absolute, AxisCode.slot.rawValue, slot)
        for code in state.slotAxes {
          emit(.absolute, code, libevdev_get_slot_value(handle, UInt32(slot), UInt32(code)))
        }
      }
      emit(.absolute, AxisCode.slot.rawValue, libevdev_get_current_slot(handle))
    }
    emit(.synchronization, SynchronizationCode.report, 0)
  }

  private func converted(_ event: input_event) -> InputEvent {
    let stamp = Instant(seconds: Int64(event.time.tv_sec), microseconds: Int64(event.time.tv_usec))
    return InputEvent(
      time: stamps.instant(stamp), type: EventType(rawValue: event.type), code: event.code, value: event.value)
  }

  private var success: Int32 { Int32(bitPattern: LIBEVDEV_READ_STATUS_SUCCESS.rawValue) }
  private var synchronizing: Int32 { Int32(bitPattern: LIBEVDEV_READ_STATUS_SYNC.rawValue) }
}

/// The codes whose current value can be queried.
struct StateCodes {
  /// Keys and buttons.
  let keys: [UInt16]
  /// Axes outside the slots.
  let axes: [UInt16]
  /// Axes per slot.
  let slotAxes: [UInt16]
  /// The number of slots; 0 for a pad without slots.
  let slots: Int32

  /// Classifies the codes of a device.
  init(_ pad: PadDescription, slots: Int32) {
    keys = pad.keys.map(\.rawValue).sorted()
    let all = pad.axes.keys.sorted()
    axes = all.filter { !$0.isMultitouch && $0 != .slot }.map(\.rawValue)
    slotAxes = all.filter(\.isMultitouch).map(\.rawValue)
    self.slots = max(slots, 0)
  }
}
