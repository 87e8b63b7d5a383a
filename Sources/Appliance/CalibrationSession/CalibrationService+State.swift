import Configuration
import Linux
import Messages
import Weighing

extension CalibrationService {
  /// What the service knows of a calibration, and of the scale.
  struct State: Sendable {
    var session: CalibrationSession?
    /// Identifies the page or program that has the session.
    var identifier = ""
    var configuration = Configuration()
    var settings = ScaleSettings()
    var isPadPresent = false
    var store: CalibrationStore?
    /// The conditions of its self-test, as stated by the user.
    var conditions: String?
    /// What was in force before the session changed it.
    var previous: Previous?

    /// The state for users.
    ///
    /// - Parameter identifier: That of the session, for the page or program that gets it.
    func json(identifier: String?) -> [UInt8] {
      JSONWriter.object { json in
        if let identifier { json.fields(("session", identifier)) }
        json.fields(
          ("device", configuration.device.id), ("capacity_g", settings.scale.capacity.value),
          ("division_g", settings.scale.division.step.value), ("storage", store?.location))
        if let session {
          session.write(&json, at: .now())
          json.field("can_undo", previous != nil)
        } else {
          json.field("state", "none")
        }
      }
    }
  }

  /// A calibration that can be put back.
  struct Previous: Sendable {
    /// What was used instead of the calibration of the configuration.
    var calibration: Configuration.Calibration?
    var curve: CalibrationCurve?
  }
}
