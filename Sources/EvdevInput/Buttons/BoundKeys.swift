import Weighing

/// The keys of one device to which actions are bound, and what has become of them.
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
/// Every key begins as spent: one that is down when its device is opened is no press until it was let go once. A key
/// that repeats itself (value 2) stays down.
struct BoundKeys {
  private enum State {
    /// Nobody knows since when it is down, if it is.
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
  /// What the report under way has said of the keys so far: who made it is known at its end.
  private var said: [InputEvent] = []
  private var report = KernelReport()

  /// Picks the bindings that a device is meant by; of two for one key that which names the device more precisely, of
  /// equals the first.
  ///
  /// - Parameter number: Gives each button the number by which it is told from all others.
  init(_ bindings: [ButtonBinding], of device: EvdevDevice, number: () -> Int) {
    self.init(bindings.filter { $0.applies(to: device) }, number: number)
  }

  /// Picks those by which the device of a recording may be meant; none is down at its beginning.
  init(_ bindings: [ButtonBinding], ofRecorded device: PadDescription) {
    var number = 0
    self.init(bindings.filter { $0.mayApply(toRecorded: device) }) {
      defer { number += 1 }
      return number
    }
    for key in buttons.keys { buttons[key]?.state = .up }
  }

  /// Takes bindings that are all of one device.
  init(_ bindings: [ButtonBinding], number: () -> Int) {
    var chosen: [UInt16: ButtonBinding] = [:]
    for binding in bindings {
      if let other = chosen[binding.key.rawValue], other.precision >= binding.precision { continue }
      chosen[binding.key.rawValue] = binding
    }
    for (key, binding) in chosen.sorted(by: { $0.key < $1.key }) {
      buttons[key] = Button(number: number(), action: binding.action)
    }
  }

  /// Whether no key of the device is bound.
  var isEmpty: Bool { buttons.isEmpty }

  /// Takes an event of the device; tells, at the end of each report, what it means for the buttons.
  mutating func handle(_ event: InputEvent, _ body: (ButtonChange, Instant) -> Void) {
    let isMadeUp = report.ends(with: event)
    if event.type == .key, buttons[event.code] != nil {
      said.append(event)
    } else if event.type == .synchronization, event.code == SynchronizationCode.dropped {
      lose(at: event.time, body)
    } else if event.type == .synchronization, event.code == SynchronizationCode.report {
      for event in said { take(event, isMadeUp: isMadeUp, body) }
      said.removeAll(keepingCapacity: true)
    }
  }

  private mutating func take(_ event: InputEvent, isMadeUp: Bool, _ body: (ButtonChange, Instant) -> Void) {
    guard let button = buttons[event.code] else { return }
    switch (button.state, event.value) {
    case (.spent, 0):
      buttons[event.code]?.state = .up
    case (.up, 1):
      buttons[event.code]?.state = .down
      body(button.change(.pressed), event.time)
    case (.down, 0):
      buttons[event.code]?.state = .up
      body(button.change(isMadeUp ? .lost : .released), event.time)
    case (.spent, _), (.up, _), (.down, _):
      break
    }
  }

  /// Forgets what is down and tells of it: events were lost, or the device is gone.
  mutating func lose(at time: Instant, _ body: (ButtonChange, Instant) -> Void) {
    said.removeAll(keepingCapacity: true)
    for key in buttons.keys.sorted() {
      if let button = buttons[key], case .down = button.state { body(button.change(.lost), time) }
      buttons[key]?.state = .spent
    }
  }
}
