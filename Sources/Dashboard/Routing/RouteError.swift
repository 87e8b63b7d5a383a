/// Why the appliance does not do what a request asks for.
package enum RouteError: Error, Hashable, Sendable {
  /// The reason for programs, and a sentence for users.
  package struct Refusal: Hashable, Sendable {
    package let reason: String
    package let detail: String

    /// Makes a refusal.
    package init(_ reason: String, _ detail: String) { (self.reason, self.detail) = (reason, detail) }
  }

  /// The body is invalid.
  case badPayload(String)
  /// It is not possible in the current state.
  case refused(Refusal)
  /// It failed.
  case failed(Refusal)
}

/// The calibration under way.
package struct CalibratingSource: Sendable {
  /// Its state as JSON.
  package var state: @Sendable () -> [UInt8]
  /// Performs a command; returns the state after it.
  package var perform: @Sendable ([UInt8]) async throws(RouteError) -> [UInt8]

  /// The certificate of its self-test as text; throws what is missing.
  package var certificate: @Sendable () throws(RouteError) -> String

  /// Makes a source.
  package init(
    state: @escaping @Sendable () -> [UInt8],
    perform: @escaping @Sendable ([UInt8]) async throws(RouteError) -> [UInt8],
    certificate: @escaping @Sendable () throws(RouteError) -> String
  ) {
    (self.state, self.perform, self.certificate) = (state, perform, certificate)
  }
}
