import Configuration
import Linux
import Logging
import MQTTLink
import Messages
import Synchronization
import Weighing

/// A lasting connection to a remote appliance that keeps its current reading and its newest weighings.
///
/// One thread may wait for readings; any thread may look.
package final class ScaleObserver: Sendable {
  /// A reading as it was published.
  package struct CurrentReading: Hashable, Sendable {
    /// The payload of `live`, JSON.
    package let payload: [UInt8]
    /// Whether the load is at rest.
    package let isStable: Bool
    fileprivate let tareEpoch: Double
    fileprivate let arrival: Instant

    fileprivate init?(_ payload: [UInt8], at now: Instant) {
      guard let json = try? JSONValue(payload, maximumBytes: 1 << 16), json["printable"]?.text != nil,
        let isStable = json["stable"]?.isTrue
      else { return nil }
      (self.payload, self.isStable, arrival) = (payload, isStable, now)
      tareEpoch = json["tare_epoch"]?.number ?? 0
    }
  }

  /// A weighing as it was published, with its current label.
  package struct ObservedWeighing: Hashable, Sendable {
    package let id: String
    package let sequence: Int
    /// RFC 3339, UTC.
    package let time: String
    /// In grams.
    package let net: Double?
    package let label: String?
    package let isVoided: Bool
  }

  private struct State: Sendable {
    var connection = WatchedScale.Connection.down(nil)
    /// `nil` before the first message.
    var isOnline: Bool?
    var reading: CurrentReading?
    var records = WatchedRecords()
    /// The payload of `containers`, JSON, and the names in it; `nil` before it has arrived.
    var containers: (payload: [UInt8], names: Set<String>)?
    /// A container that an answer to an action has announced as listed or not.
    var expectedContainer: (name: String, isListed: Bool, until: Instant)?
    /// The tare epoch that the answer to an action named; a reading with an earlier one is from before the action.
    var expected: (epoch: Double, until: Instant)?

    /// Why nothing arrives; `nil` if there is no known reason.
    var fault: ObservationError? {
      if case .down(let reason) = connection { return .noBroker(reason?.description ?? "no connection yet") }
      return isOnline == false ? .offline : nil
    }

    /// The list of containers; `nil` before it has arrived, and while it does not show an expected change yet.
    func containers(at now: Instant) -> [UInt8]? {
      guard let containers else { return nil }
      if let expected = expectedContainer, now < expected.until,
        containers.names.contains(expected.name) != expected.isListed
      {
        return nil
      }
      return containers.payload
    }

    /// The current reading, or why it is not available.
    func current(at now: Instant, patience: Interval) -> Result<CurrentReading, ObservationError> {
      if let fault { return .failure(fault) }
      guard let reading, now - reading.arrival <= patience else { return .failure(.noReading(patience)) }
      if let expected, reading.tareEpoch < expected.epoch, now < expected.until {
        return .failure(.noReading(patience))
      }
      return .success(reading)
    }
  }

  /// How long to wait for a broker that does not accept the connection.
  private static let connectionTime = Interval.seconds(3)
  /// How long a reading that an action has announced may take to arrive.
  private static let arrivalTime = Interval.seconds(1)

  /// Raised when the state has changed, and by a caller that wants to end a wait.
  package let changes = Signal()
  /// The time without a reading after which it is stale: two heartbeats and a second.
  private let patience: Interval
  private let state = Mutex(State())
  private let client: BrokerClient
  private let logger: Logger

  /// Prepares a connection from the configuration of the appliance.
  ///
  /// - Parameters:
  ///   - brokers: Used instead of those of the configuration.
  ///   - folder: The folder of the configuration file.
  /// - Throws: `ClientError`.
  package init(
    _ configuration: Configuration, brokers: [BrokerAddress]?, folder: String, logger: Logger
  ) throws(ClientError) {
    client = try BrokerClient(lasting: configuration, brokers: brokers, folder: folder, purpose: "observe")
    patience = configuration.publish.heartbeat * 2 + .seconds(1)
    self.logger = logger
  }

  /// Connects.
  package func connect() {
    let topics: [Topic] = [.availability, .live, .weighing, .lastWeighing, .containers]
    client.start(subscribingTo: topics.map { client.topics($0) }, logger: logger) { [weak self] in self?.handle($0) }
  }

  /// Disconnects.
  package func disconnect() { client.stop() }

  /// The newest weighings that were published since the connection, and the last valid one; oldest first.
  package var weighings: [ObservedWeighing] {
    let records = state.withLock { $0.records }
    return records.rows(WatchedRecords.capacity).reversed().filter { $0.kind == .weighing }.map { record in
      ObservedWeighing(
        id: record.id, sequence: record.sequence, time: record.time, net: record.net,
        label: records.label(of: record), isVoided: records.isVoided(record))
    }
  }

  /// Adds what the answer to an action announces: a weighing, and a reading that is yet to arrive.
  package func add(_ answer: CommandCall.Answer) {
    guard let json = try? JSONValue(answer.payload, maximumBytes: 1 << 16) else { return }
    let now = Instant.now()
    state.withLock { state in
      if let weighing = json["weighing"] { state.records.append(weighing) }
      if let epoch = json["reading"]?["tare_epoch"]?.number { state.expected = (epoch, now + Self.arrivalTime) }
    }
  }

  /// Waits for the current reading; blocks the calling thread.
  ///
  /// - Parameters:
  ///   - limit: How long to wait for a stable reading; the current one is returned after that.
  ///   - isWanted: Whether to go on waiting; asked again whenever `changes` is raised.
  /// - Throws: `ObservationError`.
  package func reading(
    stableWithin limit: Interval, while isWanted: () -> Bool
  ) throws(ObservationError) -> CurrentReading {
    let begin = Instant.now()
    while true {
      changes.lower()
      let now = Instant.now()
      let deadline: Instant
      switch state.withLock({ $0.current(at: now, patience: patience) }) {
      case .success(let reading):
        deadline = begin + limit
        if reading.isStable || now >= deadline || !isWanted() { return reading }
      case .failure(let error):
        deadline = begin + time(toEnd: error)
        if now >= deadline || !isWanted() { throw error }
      }
      _ = changes.wait(milliseconds: deadline.millisecondsAway)
    }
  }

  /// How long the cause of an error may take to go away.
  private func time(toEnd error: ObservationError) -> Interval {
    switch error {
    case .offline: .zero
    case .noBroker: Self.connectionTime
    case .noReading, .noContainers: patience
    }
  }

  /// Expects the list of containers to show the effect of an action.
  package func expectContainer(_ name: String, isListed: Bool) {
    state.withLock { $0.expectedContainer = (name, isListed, .now() + Self.arrivalTime) }
  }

  /// The payload of `containers`; blocks the calling thread until it has arrived.
  ///
  /// - Parameter isWanted: Whether to go on waiting; asked again whenever `changes` is raised.
  /// - Throws: `ObservationError`.
  package func containers(while isWanted: () -> Bool) throws(ObservationError) -> [UInt8] {
    var deadline = Instant.now() + Self.connectionTime
    while true {
      changes.lower()
      let now = Instant.now()
      let (list, fault, expected) = state.withLock { ($0.containers(at: now), $0.fault, $0.expectedContainer?.until) }
      if let list { return list }
      // The list is retained, so that it arrives with the subscription.
      guard now < deadline, isWanted() else { throw fault ?? .noContainers }
      if let expected, expected > now { deadline = min(deadline, expected) }
      _ = changes.wait(milliseconds: deadline.millisecondsAway)
    }
  }

  private func handle(_ event: LinkEvent) {
    let now = Instant.now()
    state.withLock { state in
      switch event {
      case .connected(let broker, _, _, _): state.connection = .up(broker.description)
      case .disconnected(let broker, let reason), .refused(let broker, let reason):
        state.connection = .down(reason.sentence.about("\(broker)"))
        // Whether the appliance is still running is unknown.
        (state.isOnline, state.reading) = (nil, nil)
      case .message(let message): receive(message, &state, at: now)
      case .acknowledged, .subscribed, .dropped, .urgent: break
      }
    }
    changes.raise()
  }

  private func receive(_ message: IncomingMessage, _ state: inout State, at now: Instant) {
    switch message.topic {
    case client.topics(.availability): state.isOnline = message.payload.elementsEqual("online".utf8)
    case client.topics(.live):
      guard let reading = CurrentReading(message.payload, at: now) else { return }
      (state.reading, state.isOnline) = (reading, true)
    case client.topics(.lastWeighing) where message.payload.isEmpty: state.records.setLast(nil)
    case client.topics(.lastWeighing), client.topics(.weighing):
      guard let json = try? JSONValue(message.payload, maximumBytes: 1 << 16) else { return }
      if message.topic == client.topics(.weighing) { state.records.append(json) } else { state.records.setLast(json) }
    case client.topics(.containers):
      guard let json = try? JSONValue(message.payload, maximumBytes: 1 << 16),
        case .array(let list)? = json["containers"]
      else { return }
      state.containers = (message.payload, Set(list.compactMap { $0["name"]?.text }))
    default: break
    }
  }
}
