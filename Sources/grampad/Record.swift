import ArgumentParser
import Capture
import EvdevInput
import EventLoop
import SystemPackage
import Terminal
import UnixSignals
import Weighing

/// `record`
struct Record: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Record the events of a device to an evemu file for replay or evemu-play.",
    discussion: """
      Stops on Ctrl-C, after --seconds, or when the device is unplugged. The events recorded so far are kept.

      Examples:
        grampad record /dev/input/event5 -o press.evemu
        grampad record auto -o press.evemu --seconds 10
      """)

  @Argument(help: "The device: a path, or auto for the device that `pad.device: auto` selects.", completion: .device)
  var device: String
  @Option(name: [.customShort("o"), .long], help: "The file to write; - for standard output.", completion: .recording)
  var output: String
  @Option(help: "Stop after this many seconds.")
  var seconds: Double?

  func validate() throws {
    if let seconds, !(seconds > 0 && seconds < 1e9) { throw ValidationError("--seconds must be greater than 0.") }
  }

  func run() async throws {
    try await failing {
      let device = try open()
      let descriptor = output == "-" ? FileDescriptor.standardOutput : try openForWriting(output)
      var file = Output(descriptor, name: output)
      let stop = Signal()
      let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
      let watch = Task { for await _ in signals { stop.raise() } }
      defer { watch.cancel() }
      printMessage("recording \(device.description.name); press Ctrl-C to stop")
      let bar = ProgressBar()
      var recorder = Recorder(device, for: seconds.map { .seconds($0) })
      let outcome: Recorder.Outcome
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
      if let error = outcome.error { printMessage(error.description) }
      printMessage("\(outcome.events) events recorded to \(output)")
    }
  }

  private func open() throws -> EvdevDevice {
    var path = device
    if device == "auto" {
      switch DeviceSurvey.scan().choose(.automatic) {
      case .chosen(let entry, _): path = entry.path
      case .none(let reason): throw Failure(.noInput, reason)
      }
    }
    do throws(EvdevError) {
      return try EvdevDevice(path: path)
    } catch {
      throw Failure(error)
    }
  }
}

extension ProgressBar {
  /// Shows the progress of a recording of `seconds`, if that is known.
  func show(events: Int, after time: Interval, of seconds: Double?) {
    let text = "\(events) events, \(Int(time.seconds)) s"
    if let seconds { show(time.seconds / seconds, text) } else { show(text) }
  }
}
