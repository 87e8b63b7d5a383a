import Linux
import Logging
import MQTTLink
import Messages
import Weighing

/// Gets a certificate for this device, with a one-time code or with the present certificate.
///
/// ```
/// key in the draft -> request -> answer: certificate in the draft -> connected with it -> draft renamed -> `installed`
/// ```
/// Every step can be repeated: the server binds a code to the key of its first request, and answers further requests for
/// that key with the same certificate. Blocks the calling thread.
package struct Enrollment: Sendable {
  private let id: String
  private let files: CredentialFiles
  private let patience: Interval
  private let logger: Logger

  /// Makes an enrolment of a device.
  ///
  /// - Parameter patience: Maximum time for the answer, and again for the connection with the new certificate.
  package init(id: String, files: CredentialFiles, patience: Interval = .seconds(30), logger: Logger) {
    (self.id, self.files, self.patience, self.logger) = (id, files, patience, logger)
  }

  /// Gets the first certificate.
  ///
  /// - Parameters:
  ///   - code: A code for this device.
  ///   - authorityFile: The CA of the broker; `nil` for those of the system.
  package func enroll(
    _ code: EnrollmentCode, broker: BrokerAddress, authorityFile: String?
  ) throws(EnrollmentError) -> CertificateAnswer {
    var settings = LinkSettings(
      brokers: [broker], clientID: clientID,
      credentials: Credentials(username: EnrollmentTopics.user(id), password: code.secret),
      tls: TLSSettings(caFile: authorityFile))
    let answer = try request(.code, settings)
    settings.credentials = nil
    settings.brokers = answer.brokers
    try install(settings, with: .code)
    return answer
  }

  /// Replaces the certificate by a new one.
  ///
  /// - Parameter settings: The brokers, and the TLS files with the present certificate.
  package func renew(_ settings: LinkSettings) throws(EnrollmentError) {
    var settings = settings
    settings.clientID = clientID
    settings.will = nil
    _ = try request(.certificate, settings)
    try install(settings, with: .certificate)
  }

  /// Not the one of the appliance, which stays connected.
  private var clientID: String { "grampad-enroll-\(id)" }
  /// How often an unanswered request is sent again: the server may have been restarted.
  private static let repetition = Interval.seconds(5)

  /// Sends a request until there is an answer, and writes the draft.
  private func request(_ right: EnrollmentRight, _ given: LinkSettings) throws(EnrollmentError) -> CertificateAnswer {
    do throws(TLSFileError) {
      try given.tls.check()
    } catch {
      throw .unusableFile(error)
    }
    guard let pair = CertificateRequest(name: id, key: try files.draftedKey()) else { throw .noKey }
    try files.write(draft: pair.key)
    let topic = right == .code ? EnrollmentTopics.code(id) : EnrollmentTopics.renewal(id)
    let answerTopic = EnrollmentTopics.answer(id, to: pair.request)
    var settings = given
    settings.maximumPacketSize = UInt32(2 * CertificateAnswer.maximumBytes)
    let session = LinkSession(settings, subscribingTo: [answerTopic], logger: logger)
    defer { session.end() }
    let deadline = Instant.now() + patience
    var failure = EnrollmentError.noAnswer(right, patience)
    var isSubscribed = false
    var token: UInt64 = 0
    while deadline.millisecondsAway > 0 {
      switch session.next(before: min(deadline, Instant.now() + Self.repetition)) {
      case nil where isSubscribed, .subscribed:
        isSubscribed = true
        failure = .noAnswer(right, patience)
        token += 1
        session.publish(topic, pair.request, token: token)
      case .message(let message) where message.topic == answerTopic && !message.isRetained:
        let answer = try CertificateAnswer(message.payload, id: id, key: pair.key)
        try files.write(draft: answer.certificate + pair.key)
        return answer
      case .acknowledged(_, let reason) where !reason.isSuccess:
        throw .notAccepted(right, reason: reason.name ?? reason.description)
      case .refused(_, let reason):
        failure = EnrollmentError(reason, with: right)
        // Another of several brokers may accept it.
        if reason.isLasting || reason.isRejection, settings.brokers.count == 1 { throw failure }
      case .disconnected: isSubscribed = false
      case nil, .message, .connected, .acknowledged, .dropped, .urgent: break
      }
    }
    throw failure
  }

  /// Connects with the draft, and puts it in place of the present certificate.
  private func install(_ given: LinkSettings, with right: EnrollmentRight) throws(EnrollmentError) {
    var settings = given
    (settings.tls.certificateFile, settings.tls.keyFile) = (files.draft, files.draft)
    let session = LinkSession(settings, subscribingTo: [], logger: logger)
    defer { session.end() }
    let deadline = Instant.now() + patience
    var failure = EnrollmentError.noAnswer(right, patience)
    var isInstalled = false
    while let event = session.next(before: deadline) {
      switch event {
      // The report ends the code at once; without it, the code ends with its time.
      case _ where isInstalled: return
      case .connected:
        try files.commit()
        isInstalled = true
        guard right == .code else { return }
        session.publish(EnrollmentTopics.installed(id), [], token: 1)
      case .refused(_, let reason):
        failure = .newCertificateRefused(right, reason.sentence)
        if reason.isLasting, settings.brokers.count == 1 { throw failure }
      case .acknowledged, .disconnected, .message, .subscribed, .dropped, .urgent: break
      }
    }
    if !isInstalled { throw failure }
  }
}
