import Languages
import Weighing

/// Why the appliance does not do what a request asks for.
package enum RouteError: Error, Hashable, Sendable {
  /// The reason for programs, and a sentence for users.
  package struct Refusal: Hashable, Sendable {
    package let reason: String
    package let detail: Sentence

    /// Makes a refusal.
    package init(_ reason: String, _ detail: Sentence) { (self.reason, self.detail) = (reason, detail) }

    /// Makes one with a text without values.
    package init(_ reason: String, _ detail: TextKey) { self.init(reason, Sentence(detail)) }
  }

  /// The body is invalid.
  case badPayload(Sentence)
  /// It is not possible in the current state.
  case refused(Refusal)
  /// It failed.
  case failed(Refusal)
}

/// The calibration under way.
package struct CalibratingSource: Sendable {
  /// Its state as JSON.
  package var state: @Sendable (@escaping Completion<[UInt8]>) -> Void
  /// Performs a command; passes on the state after it.
  package var perform: @Sendable ([UInt8], @escaping Completion<Result<[UInt8], RouteError>>) -> Void

  /// The certificate of its self-test as text, or what is missing.
  package var certificate: @Sendable (@escaping Completion<Result<String, RouteError>>) -> Void

  /// Makes a source.
  package init(
    state: @escaping @Sendable (@escaping Completion<[UInt8]>) -> Void,
    perform: @escaping @Sendable ([UInt8], @escaping Completion<Result<[UInt8], RouteError>>) -> Void,
    certificate: @escaping @Sendable (@escaping Completion<Result<String, RouteError>>) -> Void
  ) {
    (self.state, self.perform, self.certificate) = (state, perform, certificate)
  }
}
