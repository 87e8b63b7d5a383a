import Messages

/// The health of a device as it has published it.
package struct CollectedHealth: Hashable, Sendable {
  /// A JSON object.
  let payload: [UInt8]
  /// The highest number in its journal; 0 if it does not say.
  let sequence: Int
  /// Whether the broker had retained it: it says nothing about when the device was last seen.
  var isRetained: Bool

  /// Checks a payload.
  ///
  /// - Throws: `JSONError` for one that is too large or not a JSON object.
  init(_ payload: [UInt8], isRetained: Bool) throws(JSONError) {
    let fields = try JSONFields(payload, maximumBytes: CollectedMessage.maximumBytes)
    self.payload = payload
    sequence = Health.journalSequence(in: fields) ?? 0
    self.isRetained = isRetained
  }
}
