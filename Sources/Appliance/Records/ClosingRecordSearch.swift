import MQTTLink

/// Finds the record on which a broker closes the connection instead of rejecting it; a value without I/O.
///
/// ```
///           closed, no answer                 closed with the same record in flight twice
/// normal ----------------------> searching ---------------------------------------------> normal, record found
///   ^                             |  one record in flight at a time
///   +----- acknowledgement -------+
/// ```
/// Such a record would end every connection and delay all others. MQTT 3.1.1 has no other way to reject a message, and
/// an MQTT 5 broker may do so too (MQTT 5, 4.13).
struct ClosingRecordSearch {
  /// Number of connections closed with only this record in flight after which it is identified.
  static let limit = 2

  /// The only record in flight, and how many connections have ended with it.
  private var suspect: (sequence: Int, count: Int)?
  /// Whether to send one record at a time.
  private(set) var isSearching = false

  /// The broker has acknowledged a record.
  mutating func acknowledge() {
    suspect = nil
    isSearching = false
  }

  /// A connection has ended.
  ///
  /// - Parameters:
  ///   - fault: The reason.
  ///   - inFlight: The records that were sent but not acknowledged.
  ///   - hadAnswers: Whether any record was acknowledged on this connection.
  /// - Returns: The record on which the broker closes the connection, once it is identified.
  mutating func connectionEnded(because fault: LinkError, inFlight: [Int], hadAnswers: Bool) -> Int? {
    guard fault.isClosedByBroker, !inFlight.isEmpty, !hadAnswers else { return nil }
    guard isSearching, inFlight.count == 1 else {
      isSearching = true
      return nil
    }
    let count = suspect?.sequence == inFlight[0] ? (suspect?.count ?? 0) + 1 : 1
    guard count >= Self.limit else {
      suspect = (inFlight[0], count)
      return nil
    }
    suspect = nil
    isSearching = false
    return inFlight[0]
  }
}

extension LinkError {
  /// Whether a responsive broker ended the connection, possibly because of a message it received; false if the broker
  /// is unresponsive, shuts down, or has moved the session to another client.
  var isClosedByBroker: Bool {
    switch self {
    case .closed, .closedRepeatedly, .broken, .notMQTT: true
    // About a packet; the others are about the connection or the server (MQTT 5, table 2-6).
    case .endedByBroker(let code): [0x80...0x87, 0x90...0x97, 0x99...0x9B].contains { $0.contains(code.rawValue) }
    default: false  // time-outs, our own end, and all that happens before a connection is established
    }
  }
}
