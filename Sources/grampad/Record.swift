import ArgumentParser
import EvdevInput
import EventLoop
import Glibc
import Recordings
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
      let descriptor = output == "-" ? STDOUT_FILENO : try openForWriting(output)
      var recorder = Recorder(device: device, output: Output(descriptor, name: output), seconds: seconds)
      let ended = Signal()
      let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
      let watch = Task { for await _ in signals { ended.raise() } }
      defer { watch.cancel() }
      complain("recording \(device.description.name); press Ctrl-C to stop")
      let events = try recorder.run(until: ended)
      complain("\(events) events recorded to \(output)")
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
