import Messages
import Recordings
import Weighing

/// Runs a recording through the scale, offline: the same machine as on the pad, driven by recorded time.
///
/// After the last event the pad is taken to be silent, as evdev means silence: nothing changes. Time goes on until
/// nothing is left to come but heartbeats, so that a load that rests at the end becomes stable and the last value
/// is told, for ten seconds at most; then the appliance says goodbye.
package struct Replay: Sendable {
  /// One message that `run` would have published.
  package struct Line: Hashable, Sendable {
    /// The time since the first event.
    package var time: Interval
    /// The topic below the appliance's.
    package var topic: String
    /// JSON as it is published; a text payload as a JSON string.
    package var payload: [UInt8]

    /// One line of JSON with its newline.
    package func bytes(_ json: inout JSONWriter) -> [UInt8] {
      json.reset()
      json.object { json in
        json.key("t")
        json.number(time.seconds, decimals: 6)
        json.key("topic")
        json.string(topic)
        json.key("payload")
        json.verbatim(payload)
      }
      return json.bytes + [UInt8(ascii: "\n")]
    }
  }

  /// An action at a time after the first event.
  package struct TimedAction: Hashable, Sendable {
    /// What is asked.
    package var action: Action
    /// When.
    package var time: Interval

    /// Makes a timed action.
    package init(action: Action, time: Interval) {
      self.action = action
      self.time = time
    }
  }

  /// The pad went on being silent for no longer than this.
  private static let longestSilence = Interval.seconds(10)

  private let description: PadDescription
  private let events: [InputEvent]
  private let actions: [TimedAction]
  private let rotation: Rotation
  private let settings: ScaleSettings
  private let topics: Topics

  /// Prepares a replay.
  ///
  /// - Parameter recording: With the description of its device.
  /// - Throws: `UnsuitablePad` when the device cannot weigh, `UnusableCalibration`.
  package init(
    _ recording: Recording, description: PadDescription, configuration: Configuration, actions: [TimedAction]
  ) throws {
    self.description = description
    events = recording.events
    self.actions = actions.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
    rotation = configuration.pad.rotation
    settings = try configuration.scaleSettings()
    topics = Topics(prefix: configuration.mqtt.prefix, id: configuration.device.id)
    _ = try FrameAssembler(pad: description, axis: settings.axis, rotation: rotation)
  }

  /// Runs it all; `body` gets every line in order and may wait between them.
  package func run(_ body: (Line) throws -> Void) throws {
    var assembler = try FrameAssembler(pad: description, axis: settings.axis, rotation: rotation)
    let start = events.first?.time ?? Instant(nanoseconds: 0)
    var machine = ScaleMachine(settings: settings, at: start)
    var composer = MessageComposer(topics: topics, heartbeat: settings.heartbeat, clock: .recorded)
    func emit(_ messages: [Message], at time: Instant) throws {
      for message in messages { try body(line(message, time - start)) }
    }
    func perform(_ effects: [Effect]) throws {
      for effect in effects { try emit(composer.messages(for: effect), at: effect.time) }
    }
    /// Lets time pass as the appliance does: from deadline to deadline.
    func advance(to time: Instant) throws { try perform(machine.advance(to: time)) }

    try emit([composer.availability(true)], at: start)
    try perform(machine.handle(.padFound(description), at: start))
    try emit([composer.health(health(machine), at: start)], at: start)
    var pending = actions[...]
    func act(until time: Instant) throws {
      while let next = pending.first, start + next.time <= time {
        pending.removeFirst()
        let request = ActionRequest(action: next.action, source: .commandLine)
        try perform(machine.handle(.request(request), at: start + next.time))
      }
    }
    for event in events {
      guard let frame = assembler.handle(event) else { continue }
      try act(until: Instant(nanoseconds: frame.time.nanoseconds - 1))
      try perform(machine.handle(.frame(frame), at: frame.time))
    }
    var end = events.last?.time ?? start
    if let last = actions.last { end = max(end, start + last.time) }
    try act(until: end)
    try advance(to: end)
    let limit = end + Self.longestSilence
    while !machine.isAtRest, let due = machine.nextDeadline, due <= limit {
      end = due
      try advance(to: due)
    }
    try emit([composer.availability(false)], at: end)
  }

  private func health(_ machine: ScaleMachine) -> Health {
    Health(
      pad: .present(name: description.name, path: "recording"), broker: .disconnected("replaying a recording"),
      calibration: machine.calibration?.rawValue, journal: .available(path: "memory"),
      configurationFault: nil, version: Version.text)
  }

  private func line(_ message: Message, _ time: Interval) -> Line {
    let topic = topics.below(message.topic) ?? message.topic
    var payload = message.payload
    if Topic(rawValue: topic)?.isText == true {
      var json = JSONWriter()
      json.string(String(decoding: payload, as: UTF8.self))
      payload = json.bytes
    }
    return Line(time: time, topic: topic, payload: payload)
  }
}
