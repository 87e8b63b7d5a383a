/// A client that asks for the right to act.
public struct PairingRequest: Hashable, Sendable {
  /// Identifies the request while the appliance runs.
  public var id: UInt64
  /// The name that the client gives itself, on one line.
  public var name: String
  /// Its IP address.
  public var address: String

  /// Makes a request.
  public init(id: UInt64, name: String, address: String) {
    (self.id, self.name, self.address) = (id, name, address)
  }

  /// The name of the action in the reports of a press that grants a request.
  public static let action = "pair"
}

/// The progress of a request to act.
public enum PairingProgress: Hashable, Sendable {
  /// It is shown and waits for a press.
  case requested
  /// A user has granted it.
  case granted
  /// It has ended without the right to act.
  case refused(PairingRefusal)

  /// The part of an event's type that names it.
  public var name: String {
    switch self {
    case .requested: "requested"
    case .granted: "granted"
    case .refused: "refused"
    }
  }
}

/// Why a request to act that was shown is refused.
public enum PairingRefusal: String, Hashable, Sendable, CaseIterable {
  /// A user has refused it.
  case refused
  /// Nothing was pressed in time.
  case timedOut = "timed_out"
  /// The client has gone, or pairing was turned off.
  case withdrawn
}

/// What happens to requests to act.
public enum PairingInput: Hashable, Sendable {
  /// A client asks, one at a time.
  case ask(PairingRequest)
  /// A request ends: a user has decided in the page, or its client has gone. Without an identifier it is the pending one.
  case end(UInt64?, PairingProgress)
}
