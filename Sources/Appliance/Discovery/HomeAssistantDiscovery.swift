import Configuration
import Messages
import Synchronization
import Weighing

/// Keeps what Home Assistant knows of the appliance up to date.
///
/// ```
/// discovery on:   start, a reload, other quick actions, a birth, old buttons --> the announcement, retained
/// discovery off:  turned off by a reload, an old announcement is found ------> an empty one: the device goes
/// ```
/// It subscribes to its own announcement: what the broker has kept of it tells, at each connection, which buttons an
/// earlier start has announced, and whether there is anything to take away. An empty announcement of a device that
/// Home Assistant does not know would be a warning in its log.
///
/// May be called on any thread; nothing in it waits.
final class HomeAssistantDiscovery: Sendable {
  /// So many buttons of the past are remembered, and taken away, at most.
  private static let mostFormerActions = 64

  private struct State: Sendable {
    var isOn: Bool
    var topics: HomeAssistantTopics
    var device: HomeAssistantDevice
    /// Whether the quick actions are known, and so anything may be announced.
    var hasStarted = false

    /// What is to be published now, if anything.
    var announcement: Message? { isOn && hasStarted ? device.announcement(on: topics.discovery) : nil }
  }

  private let state: Mutex<State>
  private let publish: @Sendable (Message) -> Void

  /// Makes what announces an appliance.
  ///
  /// - Parameter publish: Sends a message, now and at each connection; called with a lock held, must not wait nor call back.
  init(_ configuration: Configuration, topics: Topics, publish: @escaping @Sendable (Message) -> Void) {
    let device = HomeAssistantDevice(
      topics: topics, id: configuration.device.id, name: configuration.device.name, version: Version.text,
      decimals: configuration.decimals, quickActions: [])
    state = Mutex(
      State(isOn: configuration.homeAssistant.discovery, topics: configuration.homeAssistantTopics, device: device))
    self.publish = publish
  }

  /// What is to be subscribed to: births, and the announcement itself.
  var filters: [String] { state.withLock { $0.topics.births + [$0.topics.discovery] } }

  /// Announces for the first time.
  func start(_ quickActions: [QuickAction]) {
    announce { state in
      state.device.quickActions = quickActions
      state.hasStarted = true
    }
  }

  /// Adopts what a reload changed.
  func adopt(_ configuration: Configuration) {
    state.withLock { state in
      let old = state.announcement
      state.isOn = configuration.homeAssistant.discovery
      state.topics = configuration.homeAssistantTopics
      state.device.name = configuration.device.name
      state.device.decimals = configuration.decimals
      let new = state.announcement
      if let old, new?.topic != old.topic { publish(HomeAssistantDevice.removal(from: old.topic)) }
      if let new, new != old { publish(new) }
    }
  }

  /// Takes what the scale tells: other quick actions are announced.
  func take(_ effect: Effect) {
    guard case .actions(let quickActions, _) = effect else { return }
    announce { state in
      state.device.formerActions.formUnion(state.device.quickActions.map(\.type))
      state.device.quickActions = quickActions
    }
  }

  /// Takes what a broker tells; says whether Home Assistant has just started, and so knows no reading.
  func take(_ message: IncomingMessage) -> Bool {
    let (topics, isOn) = state.withLock { ($0.topics, $0.isOn) }
    if topics.isBirth(message) {
      announce { _ in }
      return !message.isRetained
    }
    guard message.isRetained, message.topic == topics.discovery, !message.payload.isEmpty else { return false }
    if isOn {
      let buttons = HomeAssistantDevice.actions(in: message.payload)
      let isNews = state.withLock { state in
        !buttons.isSubset(of: state.device.formerActions.union(state.device.quickActions.map(\.type)))
      }
      if isNews { announce { $0.device.formerActions.formUnion(buttons) } }
    } else {
      publish(HomeAssistantDevice.removal(from: topics.discovery))
    }
    return false
  }

  private func announce(_ change: (inout State) -> Void) {
    state.withLock { state in
      change(&state)
      state.device.forgetFormerActions(beyond: Self.mostFormerActions)
      if let announcement = state.announcement { publish(announcement) }
    }
  }
}

extension HomeAssistantDevice {
  /// Forgets former actions that are in force again, and all beyond so many.
  fileprivate mutating func forgetFormerActions(beyond most: Int) {
    formerActions.subtract(quickActions.map(\.type))
    while formerActions.count > most { formerActions.removeFirst() }
  }
}

extension Configuration {
  /// Where this appliance and Home Assistant meet.
  fileprivate var homeAssistantTopics: HomeAssistantTopics {
    HomeAssistantTopics(prefix: homeAssistant.prefix, id: device.id)
  }

  /// The decimals of the division.
  fileprivate var decimals: Int { (Division(scale.division) ?? .gram).decimals }
}
