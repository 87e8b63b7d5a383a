import Calibrating
import Client
import Languages
import Messages
import Weighing

/// A running appliance that calibrates its own pad, through its dashboard.
struct RunningAppliance: Sendable {
  private let client: DashboardClient

  init(_ client: DashboardClient) { self.client = client }

  /// Its URL.
  var url: String { client.url }

  /// Whether it can calibrate now; without a response it cannot.
  var responds: Bool { (try? Self.ask(client, nil)) != nil }

  /// Its `device.id`; `nil` if it does not say.
  func device() throws(MeasurementError) -> String? { try Self.ask(client, nil)["device"]?.text }

  /// Calibrates, verifies or tests. A signal that ends the program, as when the terminal is closed, ends the session, too.
  ///
  /// - Parameter body: Receives a calibration that is not started.
  func calibrate<Result>(
    shape: CurveShape? = nil, rest: Double, _ body: (RemoteCalibration) throws -> Result
  ) throws -> Result {
    let remote = RemoteCalibration(shape: shape, at: client.url, rest: .seconds(rest)) {
      [client] (command) throws(MeasurementError) in try Self.ask(client, command)
    }
    let signals = EndingSignals { [session = remote.session] in session.end() }
    defer {
      remote.session.end()
      signals.restore()
    }
    return try body(remote)
  }

  /// The certificate of its last self-test.
  func certificate() throws(MeasurementError) -> String {
    let response = try Self.send(client, "/api/calibration/certificate", nil)
    guard response.status == 200 else { throw Self.error(response, client) }
    return String(decoding: response.body, as: UTF8.self)
  }

  private static func ask(_ client: DashboardClient, _ command: [UInt8]?) throws(MeasurementError) -> JSONValue {
    let response = try send(client, "/api/calibration/session", command)
    guard response.status == 200, let json = response.json else { throw error(response, client) }
    return json
  }

  private static func send(
    _ client: DashboardClient, _ path: String, _ body: [UInt8]?
  ) throws(MeasurementError) -> DashboardClient.Response {
    do throws(DashboardClientError) {
      return try client.send(path, body)
    } catch {
      throw .appliance(error.sentence)
    }
  }

  private static func error(_ response: DashboardClient.Response, _ client: DashboardClient) -> MeasurementError {
    let text = response.complaint
    return switch response.json?["reason"]?.text {
    case "token_missing", "token_wrong", "closed": .forbidden(text.about(client.url))
    case "pad_missing": .noPad(text)
    case "refused", "doubtful", "incomplete", "bad_payload": .declined(text)
    case "not_saved": .notSaved(text)
    default: .appliance(text.about(client.url))  // any text
    }
  }
}
