import Appliance
import ArgumentParser
import Calibrating
import Configuration
import EvdevInput
import Glibc
import Languages
import Recordings
import Weighing

/// The pad to measure on.
struct CalibratePad: ParsableArguments {
  @OptionGroup var options: ConfigurationOptions
  @Option(
    help: "Use an evemu recording instead of the pad, with the times of the recording.",
    completion: .recording)
  var replay: String?
  @Option(help: "Seconds that a load must be stable before it is measured.")
  var rest = 3.0
  @OptionGroup var log: LogOptions

  func validate() throws {
    if !(rest >= 0.5 && rest <= 600) { throw ValidationError("--rest must be between 0.5 and 600 seconds.") }
  }

  /// Opens the pad or the recording.
  func open(_ configuration: Configuration) throws -> MeasurementSession {
    do {
      guard let replay else {
        return try MeasurementSession(configuration, time: .seconds(rest)) { pad in
          try pad.source(logger: log.logger(default: .error))
        }
      }
      let bytes = try readAll(replay)
      let recording: Recording
      do throws(EvemuError) {
        recording = try EvemuReader.recording(from: bytes, requiresDescription: true)
      } catch {
        throw Failure(
          .badData, "\(replay):\(error.line): found \(error.found), expected \(error.expected)", isLocated: true)
      }
      guard let description = recording.description else { throw Failure(.badData, "\(replay): no device description") }
      return try MeasurementSession(
        recording, description: description, path: replay, configuration: configuration, time: .seconds(rest))
    } catch let error as EvdevError {
      var failure = Failure(error)
      if case .grabbed = error {
        failure.message += """

          a running appliance uses the pad exclusively: stop it (systemctl stop grampad, or stop `grampad run`), calibrate, \
          and start it again
          """
      }
      throw failure
    } catch let error as UnsuitablePadError {
      throw Failure(replay == nil ? .noInput : .badData, "the pad cannot weigh: \(error)")
    } catch let error as UnusableCalibrationError {
      throw Failure(.configuration, "calibration.points: \(error)")
    }
  }
}

extension Failure {
  init(_ error: MeasurementError) {
    let code: Sysexit =
      switch error {
      case .noPad: .noInput
      case .cancelled: .rejected
      case .unchanged, .unstable, .aboveRange, .refused, .tooFewMasses: .badData
      }
    self.init(code, error.text(.ofUser))
  }
}

/// Runs the body of a command that measures, and reports a failure.
func measuring(_ body: () async throws -> Void) async throws {
  try await failing {
    do {
      try await body()
    } catch let error as MeasurementError {
      throw Failure(error)
    }
  }
}

/// Writes a text to a file, which is created or overwritten; `-` for standard output.
func writeText(_ text: String, to path: String) throws {
  guard path != "-" else { return try printAll(text) }
  let descriptor = try openForWriting(path)
  defer { try? descriptor.close() }
  var output = Output(descriptor, name: path)
  try output.write(Array(text.utf8))
  try output.flush()
}

/// The folder for relative paths on the command line; getcwd(3).
func workingFolder() -> String {
  guard let path = getcwd(nil, 0) else { return "." }
  defer { free(path) }
  return String(cString: path)
}
