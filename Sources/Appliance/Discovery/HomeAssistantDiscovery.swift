import Configuration
import Messages
import Synchronization
import Weighing

/// Keeps the Home Assistant discovery message of the appliance up to date.
///
/// ```
/// discovery on:   start, a reload, other quick actions, a birth, old buttons --> the announcement, retained
/// discovery off:  turned off by a reload, an old announcement is found ------> an empty one: the device goes
/// ```
/// It subscribes to its own discovery topic: the retained message shows, on each connection, which buttons an earlier
/// run announced, and whether there is anything to remove. An empty message for a device that Home Assistant does not
/// know would log a warning there.
///
/// May be called on any thread; never waits.
final class HomeAssistantDiscovery: Sendable {
  /// Maximum number of former buttons that are remembered and removed.
  private static let mostFormerActions = 64

  private struct State: Sendable {
    var isOn: Bool
    var topics: HomeAssistantTopics
    var device: HomeAssistantDevice
    /// Whether the quick actions are known, so that the device can be announced.
    var hasStarted = false

    /// The message to publish now, if any.
    var announcement: Message? { isOn && hasStarted ? device.announcement(on: topics.discovery) : nil }
  }

  private let state: Mutex<State>
  private let publish: @Sendable (Message) -> Void

  /// Makes the discovery of an appliance.
  ///
  /// - Parameter publish: Publishes a message, now and on each connection; called with a lock held, so it must not wait
  ///   or call back.
  init(_ configuration: Configuration, topics: Topics, publish: @escaping @Sendable (Message) -> Void) {
    let device = HomeAssistantDevice(
      topics: topics, id: configuration.device.id, name: configuration.device.name, version: Version.text,
      decimals: configuration.decimals, quickActions: [])
    state = Mutex(
      State(isOn: configuration.homeAssistant.discovery, topics: configuration.homeAssistantTopics, device: device))
    self.publish = publish
  }

  /// The topics to subscribe to: Home Assistant's birth message and the discovery message itself.
  var filters: [String] { state.withLock { $0.topics.births + [$0.topics.discovery] } }

  /// Announces the device for the first time.
  func start(_ quickActions: [QuickAction]) {
    announce { state in
      state.device.quickActions = quickActions
      state.hasStarted = true
    }
  }

  /// Applies a reloaded configuration.
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

  /// Handles an effect of the scale: changed quick actions are announced.
  func take(_ effect: Effect) {
    guard case .actions(let quickActions, _) = effect else { return }
    announce { state in
      state.device.formerActions.formUnion(state.device.quickActions.map(\.type))
      state.device.quickActions = quickActions
    }
  }

  /// Handles a message from a broker; returns whether Home Assistant has just started and therefore has no reading yet.
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
  /// Removes former actions that exist again, and those beyond the limit.
  fileprivate mutating func forgetFormerActions(beyond most: Int) {
    formerActions.subtract(quickActions.map(\.type))
    while formerActions.count > most { formerActions.removeFirst() }
  }
}

extension Configuration {
  /// The topics shared with Home Assistant.
  fileprivate var homeAssistantTopics: HomeAssistantTopics {
    HomeAssistantTopics(prefix: homeAssistant.prefix, id: device.id)
  }

  /// Number of decimals of the division.
  fileprivate var decimals: Int { (Division(scale.division) ?? .gram).decimals }
}
