import MQTTLink
import Messages

/// Passes the events of the link to the other parts; called on the link's thread, never waits.
struct LinkEventRouter: Sendable {
  let publisher: Publisher
  let journal: JournalLoop
  let loop: WeighingLoop
  let discovery: HomeAssistantDiscovery
  let commands: CommandReceiver
  /// `nil` if the dashboard is disabled.
  let web: DashboardService?

  /// Passes on an event.
  func route(_ event: LinkEvent) {
    journal.handle(event)
    switch event {
    case .connected:
      publisher.beginConnection()
      loop.send(.refresh)
    case .message(let message): route(message)
    case .disconnected, .refused, .acknowledged, .subscribed, .dropped: break
    }
  }

  private func route(_ message: IncomingMessage) {
    publisher.correctAvailability(message)
    if discovery.handle(message) {
      publisher.repeatRetained()
      loop.send(.refresh)
    }
    switch commands.receive(message) {
    case .none: break
    case .input(let input): loop.send(input)
    case .resend(let request): journal.resend(request)
    case .rejected(let command, let reason, let allowance):
      publisher.reject(command, reason, within: allowance)
      web?.countRejection(source: command.source, reason: reason)
    }
  }
}
