import Appliance
import ArgumentParser
import Calibrating
import Client
import Commands
import Configuration
import EvdevInput
import Glibc
import Languages
import Linux
import Messages
import Recordings
import Weighing

/// The pad to measure on.
struct CalibratePad: ParsableArguments {
  @OptionGroup var dashboard: DashboardOptions
  @Option(help: "Use an evemu recording instead of the pad, with the times of the recording.", completion: .recording)
  var replay: String?
  @Option(parsing: .unconditional, help: "Seconds that a load must be stable before it is measured.")
  var rest = 3.0

  var options: ConfigurationOptions { dashboard.connection.options }

  func validate() throws {
    if dashboard.isGiven, replay != nil {
      throw ValidationError("--appliance, --broker and --device cannot be combined with --replay.")
    }
    if !(rest >= 0.5 && rest <= 600) { throw ValidationError("--rest must be between 0.5 and 600 seconds.") }
  }

  /// What measures the loads.
  enum Target {
    case pad(MeasurementSession)
    case appliance(RunningAppliance)
  }

  /// The running appliance, if one is given or uses the pad; else opens the pad or the recording.
  func target(_ file: ConfigurationFile?) throws -> Target {
    if let client = try dashboard.given(file) {
      if dashboard.appliance == nil { printMessage(.calibrationThrough, ["url": client.url]) }
      return .appliance(RunningAppliance(client))
    }
    do {
      return .pad(try openPad(file?.current ?? Configuration()))
    } catch EvdevError.grabbed(let path) {
      guard let client = try dashboard.configured(file), case let running = RunningAppliance(client), running.responds
      else { throw failure(EvdevError.grabbed(path: path)) }
      printMessage(.calibrationThrough, ["url": running.url])
      return .appliance(running)
    } catch {
      throw failure(error)
    }
  }

  /// Opens the pad or the recording.
  func open(_ configuration: Configuration) throws -> MeasurementSession {
    do {
      return try openPad(configuration)
    } catch {
      throw failure(error)
    }
  }

  private func openPad(_ configuration: Configuration) throws -> MeasurementSession {
    guard let replay else {
      return try MeasurementSession(configuration, time: .seconds(rest)) { pad in
        try pad.source(logger: dashboard.log.logger(default: .error))
      }
    }
    let recording = try readRecording(replay)
    guard let description = recording.description else {
      throw Failure(.badData, Sentence(.recordingNoDevice).about(replay))
    }
    return try MeasurementSession(
      recording, description: description, path: replay, configuration: configuration, time: .seconds(rest))
  }

  /// The failure of an error of `openPad`.
  private func failure(_ error: any Error) -> any Error {
    switch error {
    case let error as EvdevError:
      var failure = Failure(error)
      if case .grabbed = error {
        failure.append(
          .padGrabbedCalibrate, ["option": "--appliance http://HOST:PORT", "stop": "systemctl stop grampad"])
      }
      return failure
    case let error as UnsuitablePadError:
      return Failure(replay == nil ? .noInput : .badData, .padCannotWeigh, ["reason": error.sentence])
    default: return error  // any error
    }
  }
}

extension Failure {
  init(_ error: MeasurementError) {
    let code: Sysexit =
      switch error {
      case .noPad: .noInput
      case .cancelled: .rejected
      case .unchanged, .unstable, .aboveRange, .refused, .tooFewMasses, .declined: .badData
      case .appliance: .unavailable
      case .forbidden: .noPermission
      case .notSaved: .cannotCreate
      }
    self.init(code, error.sentence)
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
