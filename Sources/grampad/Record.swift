import ArgumentParser
import Capture
import Commands
import EvdevInput
import Glibc
import IIOInput
import Languages
import Linux
import Logging
import SystemPackage
import Terminal
import Weighing

/// `record`
struct Record: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Record the events of a device to an evemu file for replay or evemu-play.",
    discussion: """
      Stops on Ctrl-C, after --seconds, or when the device is unplugged. The events recorded so far are kept.

      A load cell is recorded as ABS_PRESSURE of a single-touch device with BTN_TOUCH held. Replay it with \
      `pad: {surface: platter}` in the configuration.

      Examples:
        grampad record /dev/input/event5 -o press.evemu
        grampad record auto -o press.evemu --seconds 10
        grampad record iio:hx711 -o pour.evemu
      """)

  @Argument(
    help: "The device: a path, iio:NAME, or auto for the device that `pad.device: auto` selects.", completion: .device)
  var device: String
  @Option(name: [.customShort("o"), .long], help: "The file to write; - for standard output.", completion: .recording)
  var output: String
  @Option(parsing: .unconditional, help: "Stop after this many seconds.")
  var seconds: Double?
  @Option(help: "The channel of a load-cell converter.")
  var channel = "voltage0"
  @Flag(help: "A load decreases the counts of the load-cell converter, as with pad.invert.")
  var invert = false

  func validate() throws {
    if let seconds, !(seconds > 0 && seconds < 1e9) { throw ValidationError("--seconds must be greater than 0.") }
  }

  func run() throws {
    try failing {
      let device = try open()
      let descriptor = output == "-" ? FileDescriptor.standardOutput : try openForWriting(output)
      var file = Output(descriptor, name: output)
      let stop = Signal()
      let signals = SignalHandler([SIGINT, SIGTERM]) { _ in stop.raise() }
      defer { signals.cancel() }
      printMessage(.recordStarted, ["name": device.description.name])
      let bar = ProgressBar()
      var recorder = EventCapture(device, for: seconds.map { .seconds($0) })
      let outcome: EventCapture.Outcome
      do {
        defer { bar.clear() }
        outcome = try recorder.run(
          until: stop, progressInterval: bar.isShown ? .milliseconds(500) : nil,
          progress: { bar.show(events: $0, after: $1, of: seconds) }
        ) { (text) throws(Failure) in
          try file.write(text)
          try file.flush()
        }
      }
      if let error = outcome.error { printMessage(error.sentence) }
      printMessage(Sentence(.recordDone, count: outcome.events, ["path": output]))
    }
  }

  private func open() throws -> any CapturedDevice {
    if device.hasPrefix("iio:") { return try loadCell(String(device.dropFirst(4))) }
    if device.hasPrefix(ConverterSurvey.standardFolder + "/") {
      return try loadCell(device.split(separator: "/").last.map(String.init))
    }
    guard device == "auto" else { return try inputDevice(device) }
    switch (DeviceSurvey.scan(known: KnownPad.all).choose(.automatic), ConverterSurvey.scan().choose(settings(nil))) {
    case (.chosen(let entry, _), _): return try inputDevice(entry.path)
    case (.none, .chosen): return try loadCell(nil)
    case (.none(let reason), .none(let other)): throw Failure(.noInput, reason.and(other))
    case (.none(let reason), .absent): throw Failure(.noInput, reason)
    }
  }

  private func settings(_ name: String?) -> ConverterSettings {
    ConverterSettings(name: name, channel: channel, isInverted: invert)
  }

  private func loadCell(_ name: String?) throws -> CapturedConverter {
    do throws(CaptureError) {
      return try CapturedConverter(settings(name), logger: Logger(label: "grampad") { _ in SwiftLogNoOpLogHandler() })
    } catch {
      throw Failure(.noInput, error.sentence)
    }
  }

  private func inputDevice(_ path: String) throws -> CapturedInputDevice {
    return CapturedInputDevice(try EvdevDevice(path: path))
  }
}

extension ProgressBar {
  /// Shows the progress of a recording of `seconds`, if that is known.
  func show(events: Int, after time: Interval, of seconds: Double?) {
    let text = Texts.ofUser(Sentence(.recordProgress, ["events": events, "seconds": Int(time.seconds)]))
    if let seconds { show(time.seconds / seconds, text) } else { show(text) }
  }
}
