import Weighing

/// Translates the key events of one scanner.
///
/// ```
///            SYN_DROPPED          SYN_REPORT
///   ┌──────┐ ──────────► ┌──────┐ ──────────► ┌─────────┐
///   │ live │    .gap     │ lost │             │ present │
///   └──────┘             └──────┘             └─────────┘
///       ▲            SYN_REPORT: the state is complete │
///       └──────────────────────────────────────────────┘
/// ```
/// Only presses give keys. Repeats are ignored: a scanner does not hold a key.
struct ScannerKeys: ~Copyable {
  private enum Phase {
    case live
    /// The rest of the report that was cut off.
    case lost
    /// The device's present state, in which the keys that are down were pressed at an unknown time.
    case present
  }

  private let layout: KeyLayout
  private var state: KeyState
  private var phase = Phase.live

  /// No key is down.
  init(_ layout: KeyLayout) {
    self.layout = layout
    state = KeyState(layout)
  }

  /// Processes an event, as `EvdevDevice.readEvents` passes them; returns the key that it gives.
  mutating func handle(_ event: InputEvent) -> ScannerKey? {
    switch (event.type, phase) {
    case (.synchronization, _) where event.code == SynchronizationCode.dropped:
      phase = .lost
      state = KeyState(layout)
      return .gap
    case (.synchronization, .lost) where event.code == SynchronizationCode.report: phase = .present
    case (.synchronization, .present) where event.code == SynchronizationCode.report: phase = .live
    case (.key, .live) where event.value == 1: return press(event.code)
    case (.key, .live) where event.value == 0: state.set(event.code, isDown: false)
    case (.key, .present) where event.value == 1 && state.meaning(of: event.code) == .modifier:
      state.set(event.code, isDown: true)
    case _: break
    }
    return nil
  }

  private func press(_ code: UInt16) -> ScannerKey? {
    let meaning = state.meaning(of: code)
    if meaning == .lock { return nil }
    let isCommand = state.isCommand
    state.set(code, isDown: true)
    switch meaning {
    case .modifier, .lock: return nil
    case _ where ScannerKeyCode.enter.contains(code): return isCommand ? .unknown : .enter
    case .character(let character): return .character(character)
    case .none: return .unknown
    }
  }
}
