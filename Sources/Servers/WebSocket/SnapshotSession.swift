import Weighing

/// The conversation with a WebSocket client as a value: commands in, actions and messages out.
///
/// ```
/// receive ──► answered ────────────────────────────┐
///    │                                             ├──► takeReplies, in the order of the commands
///    └──────► waiting for an action ── complete ───┘
/// ```
///
/// A command that waits for its action delays the replies to later ones, but not what they do.
struct SnapshotSession: Sendable {
  /// An action that a client asks for.
  enum Action: Hashable, Sendable {
    case tare
    case timer(TimerCommand)

    /// The requests that do it, in their order.
    func requests(on scale: ScaleSnapshot) -> [ActionRequest] {
      switch self {
      // A tare without a load is rejected, but a Half Decent Scale shows 0 after every tare.
      case .tare where scale.isEmpty: scale.isTared ? [ActionRequest(action: .clearTare, source: .dashboard)] : []
      case .tare: [ActionRequest(action: .tare, source: .dashboard)]
      // A Half Decent Scale starts from 0, and Grampad's timer goes on.
      case .timer(.start) where scale.timer != nil: [Self.request(.reset), Self.request(.start)]
      case .timer(let command): [Self.request(command)]
      }
    }

    private static func request(_ command: TimerCommand) -> ActionRequest {
      ActionRequest(action: .timer, parameters: .timer(command), source: .dashboard)
    }
  }

  /// The most commands that wait for their actions. Chosen: an app sends at most four at once; more would cost memory, fewer would
  /// refuse a user who presses buttons while a load settles.
  static let maximumWaiting = 32

  private struct Command: Sendable {
    let identifier: Int
    /// `nil` while its action is under way.
    var replies: [SnapshotFrame]?
    /// The reply if the action succeeds.
    let success: [SnapshotFrame]
  }

  private(set) var options = SnapshotFrame.Options()
  private var commands: [Command] = []
  private var waiting = 0
  private var last = 0
  /// The condition and the timer that the client was told last.
  private var condition = ScaleSnapshot.Condition.ready
  private var timer: ScaleSnapshot.Timer?

  /// Handles a message; returns an action to perform, whose end `complete` has to be told under the identifier.
  mutating func receive(_ message: String, on scale: ScaleSnapshot) -> (identifier: Int, action: Action)? {
    switch SnapshotCommand(message) {
    case .tare(let isAcknowledged): return begin(.tare, isAcknowledged ? [.status(options, isValid: true)] : [])
    case .timer(let command): return begin(.timer(command), [.status(options, isValid: true)])
    case .events(let isOn):
      if isOn, !options.hasEvents { (condition, timer) = (.ready, scale.timer) }
      options.hasEvents = isOn
      answer(.status(options, isValid: true))
    case .rate(let rate):
      options.rate = rate ?? options.rate
      answer(.rate(options, isValid: true))
    case .unknownRate: answer(.rate(options, isValid: false))
    case .status: answer(.status(options, isValid: true))
    case .invalid: answer(.status(options, isValid: false))
    case .powerOff: answer(.error(.powerOff))
    case nil: answer(.error(.unknownCommand))
    }
    return nil
  }

  /// An action has ended.
  mutating func complete(_ identifier: Int, _ error: SnapshotError?) {
    guard let index = commands.firstIndex(where: { $0.identifier == identifier && $0.replies == nil }) else { return }
    commands[index].replies = error.map { [.error($0)] } ?? commands[index].success
    waiting -= 1
    assert(waiting >= 0, "an action ends once")
  }

  /// Removes and returns the replies that are due.
  mutating func takeReplies() -> [SnapshotFrame] {
    let due = commands.prefix { $0.replies != nil }
    commands.removeFirst(due.count)
    return due.flatMap { $0.replies ?? [] }
  }

  /// Whether further commands may be read.
  var hasRoom: Bool { commands.count < Self.maximumWaiting }

  /// The events since the last call, if the client wants them. A change that was undone in between is not reported.
  mutating func takeEvents(_ scale: ScaleSnapshot) -> [SnapshotFrame] {
    guard options.hasEvents else { return [] }
    var events: [SnapshotFrame] = []
    if scale.condition != condition { events.append(.condition) }
    switch (timer?.isRunning, scale.timer?.isRunning) {
    case (nil, true), (false, true): events.append(.timer(.start))
    case (true, false): events.append(.timer(.stop))
    case (true, nil), (false, nil): events.append(.timer(.reset))
    case (nil, nil), (nil, false), (true, true), (false, false): break
    }
    (condition, timer) = (scale.condition, scale.timer)
    return events
  }

  private mutating func begin(_ action: Action, _ success: [SnapshotFrame]) -> (identifier: Int, action: Action)? {
    guard waiting < Self.maximumWaiting else {
      answer(.error(.busy))
      return nil
    }
    waiting += 1
    last += 1
    commands.append(Command(identifier: last, replies: nil, success: success))
    return (last, action)
  }

  private mutating func answer(_ frame: SnapshotFrame) {
    last += 1
    commands.append(Command(identifier: last, replies: [frame], success: []))
  }
}

/// The scale as a WebSocket client can reach it.
struct SnapshotSource: Sendable {
  /// The scale now.
  let scale: @Sendable () -> ScaleSnapshot
  /// Performs an action if the client may; passes on why it was not done, `nil` if it was. On any thread.
  let perform: @Sendable (SnapshotSession.Action, _ completion: @escaping Completion<SnapshotError?>) -> Void
  /// The zero of `ms`.
  let start: Instant
  /// Keeps the place among the live views.
  let registration: ViewerRegistration

  /// Makes the place among the live views free.
  func end() { registration.release() }
}
