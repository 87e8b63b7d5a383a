import Weighing

/// The keys of one device that are bound to actions, and their states.
///
/// ```
///            told to be up               value 1: pressed
///   ┌───────┐ ────────────►  ┌────┐ ─────────────────────► ┌──────┐
///   │ spent │                │ up │                        │ down │
///   └───────┘  ◄───────────  └────┘ ◄───────────────────── └──────┘
///      ▲        events lost            value 0: released      │
///      └──────────────────────────────────────────────────────┘
///           events lost, device gone, let go by the kernel: lost
/// ```
/// Every key starts as spent: a key that is down when its device is opened has to be released once before it counts as
/// pressed. Key repeat (value 2) leaves the key down.
struct BoundKeys {
  private enum State {
    /// The key may be down, but the time of the press is unknown.
    case spent
    case up
    case down
  }

  private struct Button {
    var number: Int
    var action: String
    var state = State.spent

    func change(_ change: ButtonChange.Change) -> ButtonChange {
      ButtonChange(button: number, action: action, change: change)
    }
  }

  private var buttons: [UInt16: Button] = [:]
  /// Keys in the current report; whether the device or the kernel made it is known only at its end.
  private var pending: [InputEvent] = []
  private var report = KernelReport()

  /// Selects the bindings that apply to a device; of two for the same key, the one that identifies the device more
  /// precisely, or else the first.
  ///
  /// - Parameter number: Returns a unique number for each button.
  init(_ bindings: [ButtonBinding], of device: EvdevDevice, number: () -> Int) {
    self.init(bindings.filter { $0.applies(to: device) }, number: number)
  }

  /// Selects the bindings that may apply to the device of a recording; no key is down at its beginning.
  init(_ bindings: [ButtonBinding], ofRecorded device: PadDescription) {
    var number = 0
    self.init(bindings.filter { $0.mayApply(toRecorded: device) }) {
      defer { number += 1 }
      return number
    }
    for key in buttons.keys { buttons[key]?.state = .up }
  }

  /// Takes bindings of a single device.
  init(_ bindings: [ButtonBinding], number: () -> Int) {
    var chosen: [UInt16: ButtonBinding] = [:]
    for binding in bindings {
      if let other = chosen[binding.key.rawValue], other.device.precision >= binding.device.precision { continue }
      chosen[binding.key.rawValue] = binding
    }
    for (key, binding) in chosen.sorted(by: { $0.key < $1.key }) {
      buttons[key] = Button(number: number(), action: binding.action)
    }
  }

  /// Whether no key of the device is bound.
  var isEmpty: Bool { buttons.isEmpty }

  /// Processes an event; at the end of each report, passes the button changes to `body`.
  mutating func handle(_ event: InputEvent, _ body: (ButtonChange, Instant) -> Void) {
    let isSynthetic = report.ends(with: event)
    if event.type == .key, buttons[event.code] != nil {
      pending.append(event)
    } else if event.type == .synchronization, event.code == SynchronizationCode.dropped {
      releaseAll(at: event.time, body)
    } else if event.type == .synchronization, event.code == SynchronizationCode.report {
      for event in pending { apply(event, isSynthetic: isSynthetic, body) }
      pending.removeAll(keepingCapacity: true)
    }
  }

  private mutating func apply(_ event: InputEvent, isSynthetic: Bool, _ body: (ButtonChange, Instant) -> Void) {
    guard let button = buttons[event.code] else { return }
    switch (button.state, event.value) {
    case (.spent, 0):
      buttons[event.code]?.state = .up
    case (.up, 1):
      buttons[event.code]?.state = .down
      body(button.change(.pressed), event.time)
    case (.down, 0):
      buttons[event.code]?.state = .up
      body(button.change(isSynthetic ? .lost : .released), event.time)
    case (.spent, _), (.up, _), (.down, _):
      break
    }
  }

  /// Releases keys that are down and reports them as lost: events were lost, or the device has gone.
  mutating func releaseAll(at time: Instant, _ body: (ButtonChange, Instant) -> Void) {
    pending.removeAll(keepingCapacity: true)
    for key in buttons.keys.sorted() {
      if let button = buttons[key], case .down = button.state { body(button.change(.lost), time) }
      buttons[key]?.state = .spent
    }
  }
}
