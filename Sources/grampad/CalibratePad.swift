import Appliance
import ArgumentParser
import Calibrating
import Client
import Commands
import Configuration
import EvdevInput
import Foundation
import Glibc
import Languages
import Linux
import Messages
import Recordings
import Weighing

/// The pad to measure on.
struct CalibratePad: ParsableArguments {
  @OptionGroup var connection: ConnectionOptions
  @Option(help: "Use an evemu recording instead of the pad, with the times of the recording.", completion: .recording)
  var replay: String?
  @Option(parsing: .unconditional, help: "Seconds that a load must be stable before it is measured.")
  var rest = 3.0
  @Option(
    help: """
      Use the pad of the running appliance with this dashboard, http://HOST:PORT, without stopping it. Default: with --broker or \
      --device, that appliance, whose dashboard its broker knows; otherwise the configured pad, or the appliance on this machine \
      that uses it.
      """)
  var appliance: String?
  @Option(help: "The file with the token of that dashboard. Default: $GRAMPAD_DASHBOARD_TOKEN.", completion: .file())
  var tokenFile: String?
  @OptionGroup var log: LogOptions

  var options: ConfigurationOptions { connection.options }

  /// Whether the options name a running appliance.
  var isRemote: Bool { appliance != nil || connection.isGiven }

  func validate() throws {
    if isRemote, replay != nil {
      throw ValidationError("--appliance, --broker and --device cannot be combined with --replay.")
    }
    if let appliance {
      if connection.isGiven { throw ValidationError("--appliance cannot be combined with --broker or --device.") }
      if DashboardClient(url: appliance, token: nil) == nil {
        throw ValidationError("--appliance must be a URL such as http://127.0.0.1:8385, not \(appliance).")
      }
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
    let configuration = file?.current ?? Configuration()
    if let appliance, let client = DashboardClient(url: appliance, token: try token(configuration, file)) {
      return .appliance(RunningAppliance(client))
    }
    if connection.isGiven { return .appliance(try applianceOfBroker()) }
    do {
      return .pad(try openPad(configuration))
    } catch EvdevError.grabbed(let path) {
      let token = try? token(configuration, file)
      guard let client = DashboardClient(configuration.dashboard, token: token),
        case let running = RunningAppliance(client), running.responds
      else { throw failure(EvdevError.grabbed(path: path)) }
      printMessage(.calibrationThrough, ["url": running.url])
      return .appliance(running)
    } catch {
      throw failure(error)
    }
  }

  /// The appliance that the connection options name, by the page in its health.
  private func applianceOfBroker() throws -> RunningAppliance {
    let (configuration, brokers, folder) = try connection.resolved()
    let device = configuration.device.id
    let health = try RetainedQuery.run(
      .health, of: configuration, brokers: brokers, folder: folder, patience: .seconds(5),
      logger: log.logger(default: .error))
    guard let url = try? JSONValue(health, maximumBytes: 1 << 17)["page"]?.text,
      var client = DashboardClient(url: url, token: nil)
    else { throw Failure(.unavailable, .remoteNoPage, ["device": device]) }
    // The same address on this machine may belong to another scale with the same id.
    let hosts = (brokers ?? configuration.mqtt.addresses).map(\.host)
    if DashboardClient.isLoopback(client.host), !hosts.allSatisfy(DashboardClient.isLoopback) {
      throw Failure(.unavailable, .remoteOwnMachine, ["device": device, "url": url])
    }
    guard try RunningAppliance(client).device() == device else {
      throw Failure(.unavailable, .remoteElsewhere, ["device": device, "url": url])
    }
    // The token is not sent before the page has named its device.
    client.token = try token(configuration, nil)
    printMessage(.calibrationThrough, ["url": client.url])
    return RunningAppliance(client)
  }

  /// What the dashboard needs: from the option, else from the environment, else from the configuration of this machine,
  /// whose token is not sent to other appliances.
  private func token(_ configuration: Configuration, _ file: ConfigurationFile?) throws -> String? {
    let environment = tokenFile == nil ? ProcessInfo.processInfo.environment : [:]
    let path =
      tokenFile.map { absolutePath($0, in: workingFolder()) }
      ?? (isRemote ? nil : configuration.dashboard.tokenFile)
    do throws(SecretFileError) {
      let secret = try Secret(
        variable: Configuration.Dashboard.tokenVariable, file: path, in: file?.folder ?? workingFolder(),
        environment: environment, limit: 4096)
      return secret.map { String(decoding: $0.bytes, as: UTF8.self) }
    } catch {
      throw Failure(.noInput, error.sentence)
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
        try pad.source(logger: log.logger(default: .error))
      }
    }
    let bytes = try readAll(replay)
    let recording: Recording
    do throws(EvemuError) {
      recording = try EvemuReader.recording(from: bytes, requiresDescription: true)
    } catch {
      throw Failure(error, in: replay)
    }
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
    case let error as UnusableCalibrationError:
      return Failure(.configuration, error.sentence.about("calibration.points"))
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
