import Linux
import Weighing

/// Decides on clients that ask for the right to act, and keeps those that have it. Called on the thread of the servers, so nothing
/// may wait.
package protocol PairingSource: Sendable {
  /// Whether an app at an address may tare and use the timer.
  func isPairedApp(at address: String) -> Bool
  /// Asks for the right to act. Passes on an answer once, and returns the identifier of the request.
  func ask(_ client: PairingClient, _ completion: @escaping Completion<PairingAnswer>) -> UInt64
  /// Ends a request, or the pending one: its client has gone, or pairing is off.
  func withdraw(_ request: UInt64?)
  /// Passes on the decision of a user of the page; returns `false` if the request is not pending.
  func decide(_ request: UInt64, isAllowed: Bool) -> Bool
  /// The request that is pending and the clients that may act, as JSON.
  func clients(_ completion: @escaping Completion<Result<[UInt8], RouteError>>)
  /// Takes the right to act from a client; passes on what `clients` does.
  func revoke(_ client: String, _ completion: @escaping Completion<Result<[UInt8], RouteError>>)
}

/// A client that asks for the right to act.
package struct PairingClient: Hashable, Sendable {
  /// How it is known later.
  package enum Kind: String, Hashable, Sendable {
    /// By a token, which its answer holds.
    case page
    /// By its address: an app on `/snapshot` can keep no token.
    case app
  }

  /// How it is known later.
  package let kind: Kind
  /// The name that it gives itself, on one line.
  package let name: String
  /// Its IP address.
  package let address: String
  /// What its requests are counted by.
  package let network: [UInt8]

  /// Makes a client; `nil` if nothing of its name is left on one line.
  init?(_ kind: Kind, name: String, at address: ClientAddress) {
    // Scalars, because a character may have any number of accents.
    let words = String(name.unicodeScalars.prefix(Self.longestName)).split(whereSeparator: \.isWhitespace)
    guard !words.isEmpty else { return nil }
    self.kind = kind
    self.name = printable(words.joined(separator: " "), limit: Self.longestName)
    (self.address, network) = (address.text, address.network)
  }

  /// The most Unicode scalars of a name.
  static let longestName = 64
}

/// The answer to a client that asks for the right to act.
package enum PairingAnswer: Hashable, Sendable {
  /// The scale shows the request; an app is not told more.
  case requested
  /// The client may act; with the JSON of the answer, which holds its token.
  case granted([UInt8])
  /// It may not.
  case refused(PairingRefusal)
  /// Another request is pending; this one was not shown.
  case busy
  /// The address, or all of them together, have asked too often; this request was not shown.
  case tooMany
  /// It cannot be stored.
  case failed(RouteError)
}
