/// A one-time code, `ID.SECRET`: the password of a user that may ask for the certificate of one device.
package struct EnrollmentCode: Hashable, Sendable, CustomStringConvertible {
  /// The `device.id`.
  package let id: String
  /// The secret: base64url, at most 64 characters.
  let secret: String

  /// Parses a code.
  ///
  /// - Throws: `EnrollmentError.malformedCode`.
  package init(_ text: String) throws(EnrollmentError) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, EnrollmentTopics.isID(parts[0]), (1...64).contains(parts[1].utf8.count),
      parts[1].utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw .malformedCode }
    (id, secret) = (String(parts[0]), String(parts[1]))
  }

  /// The id only: the secret never appears in a log.
  package var description: String { "EnrollmentCode(\(id))" }
}
