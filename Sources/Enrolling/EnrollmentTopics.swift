import Configuration
import Linux

/// The topics and users of enrolment, as in `deploy/broker/roles`.
///
/// The access list of the broker decides who uses them: `code` only the owner of a one-time code, `renewal` and `installed`
/// only the owner of a certificate, `answer` only the server.
package enum EnrollmentTopics {
  /// A request with a code.
  static func code(_ id: String) -> String { "enroll/\(id)/code" }
  /// A request with a valid certificate.
  static func renewal(_ id: String) -> String { "enroll/\(id)/renewal" }
  /// The report that the certificate is in use; the code is not needed any more.
  static func installed(_ id: String) -> String { "enroll/\(id)/installed" }
  /// The answer to a request. The hash distinguishes requests, so that late answers to others are not received.
  static func answer(_ id: String, to request: [UInt8]) -> String {
    "enroll/\(id)/answer/\(String(fnv1a(request), radix: 16))"
  }
  /// The user of a code.
  static func user(_ id: String) -> String { "enroll-\(id)" }

  /// Whether a text may be the id of a device: 1...64 letters, digits, `_` and `-`, as in `grampad-broker`, and not the name
  /// of the user of a code.
  package static func isID(_ text: some StringProtocol) -> Bool {
    (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(isWordByte) && !text.hasPrefix("enroll-")
  }
}
