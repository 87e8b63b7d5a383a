import Appliance
import ArgumentParser
import Commands
import Configuration
import Glibc
import Journal
import Languages
import Linux
import Messages
import Recordings
import Weighing

/// `replay`
struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Run a recording through the scale offline and print the messages it would publish.",
    discussion: """
      Prints one line of JSON for each message that `run` would publish: the seconds since the first event, the topic relative \
      to that of the device, and the payload. All times come from the recording, so the same input gives the same output.

      Examples:
        grampad replay press.evemu
        grampad replay events.txt --device-description pad.desc --config scale.yaml
        grampad replay press.evemu --action tare@2.5 --speed 1
        grampad replay press.evemu --action 'commit {"label": "beans"}@2.5'
        grampad replay press.evemu --journal weighings.db
      """)

  @Argument(help: "The recording in evemu text format; - for standard input.", completion: .recording)
  var file: String
  @OptionGroup var options: ConfigurationOptions
  @Option(
    help: "A file with the device description, for a recording that has none, or to override the one in the recording.",
    completion: .file())
  var deviceDescription: String?
  @Option(
    help: ArgumentHelp(
      """
      Perform an action SECONDS after the first event; can be repeated. TYPE is \(Action.list) \
      or the type of a quick action; {...} is the payload of command/TYPE on MQTT.
      """, valueName: "TYPE@SECONDS|'TYPE {...}@SECONDS'"),
    transform: TimedActionArgument.init)
  var action: [TimedActionArgument] = []
  @Option(help: "Record weighings in this SQLite file. Default: in memory.", completion: .journal)
  var journal: String?
  @Option(
    parsing: .unconditional, help: "Playback speed: 1 for real time, 2 for twice as fast. Default: as fast as possible."
  )
  var speed: Double?

  func validate() throws {
    if let speed, !(speed > 0 && speed.isFinite) { throw ValidationError("--speed must be greater than 0.") }
  }

  func run() throws {
    try failing {
      let configuration = try options.file()?.current ?? Configuration()
      let actions = try action.map { try $0.timed() }
      let recording = try readRecording(file, requiresDescription: deviceDescription == nil)
      guard let description = try separateDescription() ?? recording.description else {
        throw Failure(.badData, Sentence(.recordingNoDeviceOption).about("\(file):1"))
      }
      let replay: Replay
      do {
        replay = try Replay(
          recording, description: description, configuration: configuration, actions: actions)
      } catch let error as UnsuitablePadError {
        let fault = Sentence(.padNamedCannotWeigh, ["name": description.name, "reason": error.sentence])
        throw Failure(.badData, fault.about(file))
      }
      try print(replay)
    }
  }

  private func separateDescription() throws -> PadDescription? {
    guard let deviceDescription else { return nil }
    let bytes = try readAll(deviceDescription)
    do throws(EvemuError) {
      return try EvemuReader.description(from: bytes)
    } catch {
      throw Failure(error, in: deviceDescription)
    }
  }

  private func print(_ replay: Replay) throws {
    var output = Output(.standardOutput, name: "standard output")
    var json = JSONWriter()
    let start = Instant.now()
    try replay.run(journal: journal.map { .file($0) } ?? .memory) { line in
      if let speed {
        try output.flush()
        wait(until: start + .seconds(line.time.seconds / speed))
      }
      try output.write(line.bytes(&json))
    }
    try output.flush()
  }

  private func wait(until moment: Instant) {
    var time = timespec()
    time.tv_sec = Int(moment.nanoseconds / 1_000_000_000)
    time.tv_nsec = Int(moment.nanoseconds % 1_000_000_000)
    while clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &time, nil) == EINTR {}
  }
}

/// Reads a recording in evemu text format; `-` for standard input.
func readRecording(_ path: String, requiresDescription: Bool = true) throws -> Recording {
  let bytes = try readAll(path)
  do throws(EvemuError) {
    return try EvemuReader.recording(from: bytes, requiresDescription: requiresDescription)
  } catch {
    throw Failure(error, in: path)
  }
}

extension Failure {
  /// For a malformed line of a recording.
  init(_ error: EvemuError, in file: String) {
    let fault = Sentence(.recordingMalformed, ["found": error.found, "expected": error.expected])
    self.init(.badData, fault.about("\(file):\(error.line)"), isLocated: true)
  }
}

/// `TYPE@SECONDS` or `TYPE {"key": value}@SECONDS`
struct TimedActionArgument: Sendable {
  private let name: String
  private let payload: [UInt8]?
  private let time: Interval

  /// The maximum time after the first event: about 31 years.
  private static let longest = 1e9

  init(_ argument: String) throws {
    // The payload may contain @ as well: the last one precedes the time.
    guard let at = argument.lastIndex(of: "@"), let seconds = Double(argument[argument.index(after: at)...]),
      seconds >= 0, seconds < Self.longest
    else { throw ValidationError("Expected TYPE@SECONDS or 'TYPE {\"key\": value}@SECONDS', such as tare@2.5.") }
    let action = argument[..<at]
    let end = action.firstIndex { $0.isWhitespace || $0 == "{" } ?? at
    guard end > action.startIndex else { throw ValidationError("The action type before the @ is missing.") }
    name = String(action[..<end])
    let text = action[end...].drop(while: \.isWhitespace)
    payload = text.isEmpty ? nil : Array(text.utf8)
    time = .seconds(seconds)
  }

  func timed() throws -> Replay.TimedAction {
    guard let payload else { return Replay.TimedAction(name: name, time: time) }
    do throws(Replay.ActionPayloadError) {
      return try Replay.TimedAction(name: name, payload: payload, time: time)
    } catch {
      throw Failure(.badData, "--action \(error)")
    }
  }
}
