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
      // By the link's thread before it sends anything: the scale may not know yet that the last connection has ended, and what it
      // switches on must not be the first message.
      publisher.switchOutputsOff()
      publisher.beginConnection()
      loop.send(.refresh)
      loop.send(.connection(isConnected: true))
    case .disconnected: loop.send(.connection(isConnected: false))
    case .urgent(let report): route(report)
    case .message(let message): route(message)
    case .refused, .acknowledged, .subscribed, .dropped: break
    }
  }

  /// A connection that hangs is as good as none for a dose: the scale could not stop it.
  private func route(_ report: UrgentReport) {
    switch report {
    case .rejected(let message, _):
      for output in publisher.outputs.switchedOn(by: message) { loop.send(.outputRefused(output)) }
    case .late: loop.send(.connection(isConnected: false))
    case .caughtUp: loop.send(.connection(isConnected: true))
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
