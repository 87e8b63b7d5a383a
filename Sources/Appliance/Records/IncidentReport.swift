import Journal
import Logging
import MQTTLink
import Messages
import Weighing

/// Reports incidents of the journal, and publishes each report until a broker has accepted it.
///
/// ```
/// found ──body──► scale ──announce──► waiting ──connected──► sent ──accepted──► announced
///                                        ▲                    │
///                                        └──── disconnected ──┴── refused: at the next connection
/// ```
/// The journal keeps unannounced incidents; the next start reports them again.
struct IncidentReport {
  private enum State {
    case waiting
    case sent
    /// Rejected by the broker; published again on the next connection.
    case refused
  }

  private let logger: Logger
  private let path: String
  private let send: (Message, UInt64) -> Admission
  /// The reports that no broker has accepted yet, by token.
  private var reports: [(message: Message, token: UInt64, state: State)] = []
  /// Number of incidents whose reports no broker has accepted yet.
  private var unannounced = 0
  /// Whether the journal still has to record that all incidents are announced.
  private var isMarkDue = false
  private var isConnected = false
  private var nextToken = Self.firstToken

  /// Tokens from here on belong to reports; smaller ones to weighings, whose sequence numbers they are.
  static let firstToken: UInt64 = 1 << 63

  init(path: String, logger: Logger, send: @escaping (Message, UInt64) -> Admission) {
    (self.path, self.logger, self.send) = (path, logger, send)
  }

  /// The connection to a broker is established.
  mutating func connect() {
    isConnected = true
    for index in reports.indices { reports[index].state = .waiting }
  }

  /// The connection has ended.
  mutating func disconnect() { isConnected = false }

  /// Adds the message that reports an incident.
  mutating func announce(_ message: Message) {
    reports.append((message, nextToken, .waiting))
    nextToken += 1
  }

  /// The broker has accepted or rejected a report.
  mutating func acknowledge(_ token: UInt64, _ reason: ReasonCode) {
    guard let index = reports.firstIndex(where: { $0.token == token }) else { return }
    guard reason.isSuccess else {
      reports[index].state = .refused
      logger.warning(
        "broker rejected a report of the journal; retrying on the next connection",
        metadata: ["mqtt.topic": "\(reports[index].message.topic)", "mqtt.reason": "\(reason)"])
      return
    }
    reports.remove(at: index)
    unannounced -= 1
    isMarkDue = unannounced == 0
  }

  /// Logs the incidents found by the journal, passes them to `body`, and publishes the waiting reports.
  mutating func work(_ journal: Journal, _ errors: inout JournalErrors, _ body: (JournalIncident) -> Void) {
    for incident in journal.removeIncidents() {
      log(incident)
      unannounced += 1
      isMarkDue = false
      body(incident)
    }
    if isConnected {
      for index in reports.indices where reports[index].state == .waiting {
        guard send(reports[index].message, reports[index].token) == .accepted else { break }
        reports[index].state = .sent
      }
    }
    if isMarkDue {
      isMarkDue = !errors.read { () throws(JournalError) in try journal.markIncidentsAnnounced() }
    }
  }

  private func log(_ incident: JournalIncident) {
    switch incident {
    case .loss(let loss):
      logger.error(
        "weighings lost; their sequence numbers will not be reused",
        metadata: [
          "journal.path": "\(path)", "journal.lost": "\(loss.from)...\(loss.to)",
          "journal.kept_aside": "\(loss.keptAside ?? "nothing")", "journal.reason": "\(loss.reason)",
        ])
    case .recovery(let recovery):
      logger.warning(
        "found a record that was not confirmed before a failure; reversed it",
        metadata: [
          "journal.path": "\(path)", "weighing.sequence": "\(recovery.sequence)", "weighing.id": "\(recovery.id)",
        ])
    }
  }
}

extension ScaleEvent {
  /// Whether it is an event that reports an incident of the journal.
  var isJournalIncident: Bool {
    switch kind {
    case .journalLoss, .journalRecovered: true
    default: false  // the events of the scale
    }
  }
}
