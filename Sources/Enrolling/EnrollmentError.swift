import Languages
import Linux
import MQTTLink
import Weighing

/// What entitles a device to a certificate.
package enum EnrollmentRight: Hashable, Sendable {
  /// A one-time code.
  case code
  /// The present certificate.
  case certificate
}

/// Why a device got no certificate.
package enum EnrollmentError: SentenceError {
  /// The code does not have the form ID.SECRET.
  case malformedCode
  /// The broker refuses the code or the present certificate; with the reason.
  case notAccepted(EnrollmentRight, reason: String)
  /// The broker could not be reached; with the reason.
  case unreachable(Sentence)
  /// The certificate of the broker is not trusted, or not for its name.
  case untrusted(Sentence)
  /// A file with a certificate or key cannot be used.
  case unusableFile(TLSFileError)
  /// There was no answer within this time.
  case noAnswer(EnrollmentRight, Interval)
  /// The server refused the request; with its reason.
  case refused(String)
  /// The answer is not one of `grampad enroll --serve`, or not for this key.
  case invalidAnswer
  /// The key could not be made.
  case noKey
  /// A file could not be read.
  case unreadable(String, FileError)
  /// A file could not be written.
  case notWritable(String, FileError)
  /// The broker does not accept the new certificate; with the reason.
  case newCertificateRefused(EnrollmentRight, Sentence)

  /// Makes an error from the reason why a connection failed.
  ///
  /// A device without a certificate has no settings yet, to which the sentences of the link refer.
  init(_ reason: LinkError, with right: EnrollmentRight) {
    switch (reason, right) {
    case (.credentialsRefused(let code), _): self = .notAccepted(right, reason: code.description)
    // The broker has sent an alert, such as `sslv3 alert certificate revoked`.
    case (.tls(let text), .certificate) where text.contains("alert"): self = .notAccepted(right, reason: text)
    case (.tls(let text), .code): self = .unreachable(Sentence(.enrollTLS, ["text": text]))
    case (.untrustedCertificate(let text), .code): self = .untrusted(Sentence(.enrollUntrusted, ["text": text]))
    case (.untrustedCertificate, .certificate), (.wrongServerName, _): self = .untrusted(reason.sentence)
    default: self = .unreachable(reason.sentence)
    }
  }

  /// What failed and what to do.
  package var sentence: Sentence {
    switch self {
    case .malformedCode: Sentence(.enrollMalformedCode, ["command": "grampad-broker invite"])
    case .notAccepted(.code, let reason): Sentence(.enrollNotAccepted, ["reason": reason])
    case .notAccepted(.certificate, let reason): Sentence(.enrollCertificateNotAccepted, ["reason": reason])
    case .unreachable(let reason): Sentence(.enrollUnreachable, ["reason": reason])
    case .untrusted(let reason): reason
    case .unusableFile(let error): error.sentence
    case .noAnswer(let right, let time):
      Sentence(
        right == .code ? .enrollNoAnswer : .enrollRenewalNoAnswer,
        ["seconds": DecimalText.trimmed(time.seconds, decimals: 0), "command": "grampad enroll --serve"])
    case .refused(let reason): Sentence(.enrollRefused, ["reason": reason])
    case .invalidAnswer: Sentence(.enrollInvalidAnswer)
    case .noKey: Sentence(.enrollNoKey)
    case .unreadable(let path, let error):
      Sentence(.enrollUnreadable, ["path": path, "error": error.errno.description])
    case .notWritable(let path, let error):
      Sentence(.enrollNotWritable, ["path": path, "error": error.errno.description])
    case .newCertificateRefused(.code, let reason): Sentence(.enrollNewRefused, ["reason": reason])
    case .newCertificateRefused(.certificate, let reason): Sentence(.enrollRenewalNewRefused, ["reason": reason])
    }
  }
}

extension LinkError {
  /// Whether another attempt at the same broker fails as well, whatever the device presents.
  var isLasting: Bool {
    switch self {
    case .untrustedCertificate, .wrongServerName, .unusableFile, .unusableSettings: true
    // The clock may be set a moment later.
    case .certificateOutOfDate: false
    case .unknownHost, .unreachable, .noAnswer, .credentialsRefused, .versionRefused, .refused, .tls,
      .closedBeforeConnack, .closed, .closedRepeatedly, .endedByBroker, .sessionTakenOver, .silent, .unacknowledged,
      .notMQTT, .broken, .stopped:
      false
    }
  }

  /// Whether the broker rejects what the device presents.
  var isRejection: Bool {
    switch self {
    case .credentialsRefused, .tls: true
    case .unknownHost, .unreachable, .noAnswer, .versionRefused, .refused, .untrustedCertificate, .certificateOutOfDate,
      .wrongServerName, .unusableFile, .closedBeforeConnack, .closed, .closedRepeatedly, .endedByBroker,
      .sessionTakenOver, .silent, .unacknowledged, .notMQTT, .broken, .unusableSettings, .stopped:
      false
    }
  }
}
