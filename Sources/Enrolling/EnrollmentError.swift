import EventLoop
import Languages
import MQTTLink
import Weighing

/// Why a device got no certificate.
package enum EnrollmentError: SentenceError {
  /// The code does not have the form ID.SECRET.
  case malformedCode
  /// The broker does not know the code, or refuses the certificate.
  case notAccepted(Sentence)
  /// The broker could not be reached; with the reason.
  case unreachable(Sentence)
  /// There was no answer within this time.
  case noAnswer(Interval)
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
  case newCertificateRefused(Sentence)

  /// Makes an error from the reason why a connection failed.
  init(_ reason: LinkError) {
    switch reason {
    case .credentialsRefused, .tls: self = .notAccepted(reason.sentence)
    default: self = .unreachable(reason.sentence)
    }
  }

  /// What failed and what to do.
  package var sentence: Sentence {
    switch self {
    case .malformedCode: Sentence(.enrollMalformedCode, ["command": "grampad-broker invite"])
    case .notAccepted(let reason): Sentence(.enrollNotAccepted, ["reason": reason])
    case .unreachable(let reason): Sentence(.enrollUnreachable, ["reason": reason])
    case .noAnswer(let time):
      Sentence(
        .enrollNoAnswer,
        ["seconds": DecimalText.trimmed(time.seconds, decimals: 0), "command": "grampad enroll --serve"])
    case .refused(let reason): Sentence(.enrollRefused, ["reason": reason])
    case .invalidAnswer: Sentence(.enrollInvalidAnswer)
    case .noKey: Sentence(.enrollNoKey)
    case .unreadable(let path, let error):
      Sentence(.enrollUnreadable, ["path": path, "error": error.errno.description])
    case .notWritable(let path, let error):
      Sentence(.enrollNotWritable, ["path": path, "error": error.errno.description])
    case .newCertificateRefused(let reason): Sentence(.enrollNewRefused, ["reason": reason])
    }
  }
}
