import Certificates
import Configuration
import Languages
import Linux
import Messages
import Servers
import Weighing

/// The certificate of the self-test of a calibration session, as `grampad calibrate self-test` writes it.
struct CalibrationCertificateFile {
  let text: String

  /// - Throws: What is missing.
  init(
    _ session: CalibrationSession?, under configuration: Configuration, conditions: String?
  ) throws(RouteError) {
    guard let session, session.pad != nil else { throw Self.missing(.remoteNotStarted) }
    guard !session.hasUnusedOutcome else { throw Self.missing(.remoteUnused) }
    guard let (test, mass, end) = session.selfTest else { throw Self.missing(.remoteNoTest) }
    let instrument = ScaleDescription(configuration, pad: session.pad, origin: session.gauge?.calibration?.origin)
    let date = WallClock(offset: Instant.wallOffset()).text(end)
    var certificate = SelfTestCertificate(test, of: mass, on: instrument, date: date, conditions: conditions)
    if let verification = session.verification, let reading = verification.reading {
      certificate.verification = (verification.mass, reading, verification.tolerance)
    }
    text = certificate.text(.english)
  }

  private static func missing(_ detail: TextKey) -> RouteError { .refused(.init("incomplete", detail)) }
}
