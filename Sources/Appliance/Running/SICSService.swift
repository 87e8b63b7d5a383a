import Configuration
import Linux
import Logging
import Servers
import Weighing

/// MT-SICS as a part of the appliance.
final class SICSService: Sendable {
  private let server: SICSServer

  /// Maximum wait of an action; after that it is useless, because another user may be at the pad.
  private static let patience = Interval.seconds(10)

  /// Makes a service; it does nothing until `start`. `nil` if MT-SICS is off.
  ///
  /// - Parameters:
  ///   - loop: The thread of its server.
  ///   - send: Passes an input to the scale.
  init?(
    _ configuration: Configuration, in folder: String, on loop: ServerLoop?, pending: PendingRequests, logger: Logger,
    onListen: @escaping @Sendable (_ address: String, _ port: UInt16) -> Void,
    send: @escaping @Sendable (ScaleMachine.Input) -> Void
  ) {
    guard configuration.sics.isEnabled, let loop else { return nil }
    let settings = SICSServer.Settings(
      endpoint: configuration.sics.listen.map { ($0.address, $0.port) },
      terminal: configuration.sicsTerminalPath(in: folder), identity: SICSIdentity(configuration))
    server = SICSServer(settings, on: loop, logger: logger, onListen: onListen) { action, parameters, completion in
      guard let identifier = pending.add({ completion($0) }) else { return completion(nil) }
      var request = ActionRequest(action: action, parameters: parameters, source: .sics, identifier: identifier)
      request.expiry = .now() + Self.patience
      send(.request(request))
    }
  }

  /// Handles an effect of the scale, on its thread; never waits.
  func handle(_ effect: Effect) {
    if case .live(let reading) = effect { server.update(reading) }
    if case .settled(let reading) = effect { server.update(reading) }
    if case .reading(let reading) = effect { server.update(reading) }
    if case .result(let result) = effect { server.update(result.reading) }
  }

  /// Applies another configuration.
  func apply(_ configuration: Configuration) { server.setIdentity(SICSIdentity(configuration)) }

  /// Serves from now on.
  func start() { server.start() }

  /// Closes all connections.
  func stop() { server.stop() }
}

extension SICSIdentity {
  fileprivate init(_ configuration: Configuration) {
    self.init(
      id: configuration.device.id, capacity: configuration.scale.capacity, division: configuration.scale.division)
  }
}
