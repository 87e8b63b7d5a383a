import Glibc
import IIOInput
import Linux
import Logging
import Testing
import Weighing

/// Runs an input as the weighing loop does, and collects its events.
final class Feed {
  let input: IIOInput
  private(set) var events: [PadEvent] = []
  /// Events that came with the last one, for the next call.
  private var pending: [PadEvent] = []
  /// How far the time that the input is told is ahead of the clock.
  var ahead = Interval.zero

  init(
    _ settings: ConverterSettings = ConverterSettings(name: "hx711"), of device: FakeConverter, nodes: String = "/dev"
  ) {
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    input = IIOInput(settings, folder: device.devices, nodes: nodes, logger: logger)
  }

  /// Runs until an event fits, for at most 10 s; returns it.
  @discardableResult
  func wait(
    at location: SourceLocation = #_sourceLocation, for fits: (PadEvent) -> Bool
  ) throws -> PadEvent {
    let end = Instant.now() + .seconds(10)
    while true {
      while !pending.isEmpty {
        let event = pending.removeFirst()
        events.append(event)
        if fits(event) { return event }
      }
      try #require(Instant.now() < end, "only \(events.map(\.word))", sourceLocation: location)
      var entry = pollfd(fd: input.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
      let deadline = min(input.nextDeadline ?? end, end)
      poll(&entry, 1, max(Instant(nanoseconds: deadline.nanoseconds - ahead.nanoseconds).millisecondsAway, 0))
      input.process(at: .now() + ahead) { pending.append($0) }
    }
  }

  /// Runs until a frame arrives.
  func frame(at location: SourceLocation = #_sourceLocation) throws -> Frame {
    guard case .frame(let frame) = try wait(at: location, for: { $0.word == "frame" }) else {
      throw UnexpectedEventError()
    }
    return frame
  }

  /// Runs until an event of a kind arrives; returns its text.
  @discardableResult
  func text(of kind: String, at location: SourceLocation = #_sourceLocation) throws -> String {
    try wait(at: location) { $0.word == kind }.text
  }

  /// The events so far, and removes them.
  func take() -> [PadEvent] {
    defer { events = [] }
    return events
  }
}

struct UnexpectedEventError: Error {}

extension PadEvent {
  /// The kind of the event.
  var word: String {
    switch self {
    case .found: "found"
    case .frame: "frame"
    case .button: "button"
    case .gap: "gap"
    case .setupWarning: "setup"
    case .lost: "lost"
    case .waiting: "waiting"
    }
  }

  /// The reason or path in the event.
  var text: String {
    switch self {
    case .found(_, let path): path
    case .setupWarning(let text), .lost(let text), .waiting(let text): text.description
    case .frame, .button, .gap: ""
    }
  }
}
