import Configuration
import Messages
import Weighing

/// Keeps the Home Assistant discovery message of the appliance up to date.
///
/// ```
/// discovery on:   start, a reload, the page listens, a pad is found, other quick actions or containers, a birth,
///                 old entities -------------------------------------------> the announcement, retained
/// discovery off:  turned off by a reload, an old announcement is found ------> an empty one: the device is removed
/// either:         an announcement of an earlier version, without the prefix -> removed; then the announcement, if it is on
/// ```
/// It subscribes to its own discovery topic: the retained message shows, on each connection, which buttons and controls
/// an earlier run announced, and whether there is anything to remove. An empty message for a device that Home Assistant does not
/// know would log a warning there.
///
/// May be called on any thread; never waits.
final class HomeAssistantDiscovery: Sendable {
  /// Maximum number of former buttons, and of former controls, that are remembered and removed.
  private static let mostFormerEntities = 64

  private struct State: Sendable {
    var isOn: Bool
    var topics: HomeAssistantTopics
    var device: HomeAssistantDevice
    /// Whether the quick actions are known, so that the device can be announced.
    var hasStarted = false

    /// The message to publish now, if any.
    var announcement: Message? { isOn && hasStarted ? device.announcement(on: topics.discovery) : nil }

    /// Changes the device and announces it.
    mutating func announce(into messages: inout [Message], _ change: (inout HomeAssistantDevice) -> Void) {
      change(&device)
      device.removeFormerEntities(beyond: HomeAssistantDiscovery.mostFormerEntities)
      if let announcement { messages.append(announcement) }
    }
  }

  private let output: OrderedOutput<State, [Message]>

  /// Makes the discovery of an appliance.
  ///
  /// - Parameter publish: Publishes a message, now and on each connection; must not wait.
  init(_ configuration: Configuration, topics: Topics, publish: @escaping @Sendable (Message) -> Void) {
    var device = HomeAssistantDevice(
      topics: topics, name: configuration.device.name, version: Version.text,
      decimals: configuration.scale.division.decimals, quickActions: [])
    device.controls = Zones(configuration.pad.controls).controls
    device.area = configuration.homeAssistant.suggestedArea
    device.timesPours = configuration.timer.timesPours
    device.doseButton.set(isPresent: !configuration.outputs.isEmpty)
    let state = State(
      isOn: configuration.homeAssistant.discovery,
      topics: HomeAssistantTopics(prefix: configuration.homeAssistant.prefix, topics: topics), device: device)
    output = OrderedOutput(state, empty: []) { messages in
      messages.forEach(publish)
      messages.removeAll()
    }
  }

  /// The topics to subscribe to: Home Assistant's birth message and the discovery message itself.
  var filters: [String] {
    output.read { $0.topics.births + [$0.topics.discovery] + ($0.topics.former.map { [$0] } ?? []) }
  }

  /// Announces the device for the first time.
  func start(_ quickActions: [QuickAction]) {
    output.update { state, messages in
      state.hasStarted = true
      state.announce(into: &messages) { $0.quickActions = quickActions }
    }
  }

  /// Applies a reloaded configuration.
  func apply(_ configuration: Configuration) {
    output.update { state, messages in
      let old = state.announcement
      state.isOn = configuration.homeAssistant.discovery
      state.topics = HomeAssistantTopics(prefix: configuration.homeAssistant.prefix, topics: state.device.topics)
      state.device.name = configuration.device.name
      state.device.decimals = configuration.scale.division.decimals
      state.device.area = configuration.homeAssistant.suggestedArea
      state.device.doseButton.set(isPresent: !configuration.outputs.isEmpty)
      state.device.formerControls.formUnion(state.device.controls)
      state.device.controls = Zones(configuration.pad.controls).controls
      state.device.hadPours = state.device.hadPours || state.device.timesPours
      state.device.timesPours = configuration.timer.timesPours
      state.device.removeFormerEntities(beyond: Self.mostFormerEntities)
      let new = state.announcement
      if let old, new?.topic != old.topic { messages.append(HomeAssistantDevice.removal(from: old.topic)) }
      if let new, new != old { messages.append(new) }
    }
  }

  /// Announces a change of the device, if it is one.
  ///
  /// - Parameters:
  ///   - page: The URL of the page as other machines reach it.
  ///   - hardware: The name of the pad; that of a missing one remains.
  func describe(page: String? = nil, hardware: String? = nil) {
    output.update { state, messages in
      let old = state.device
      if let page { state.device.page = page }
      if let hardware { state.device.hardware = hardware }
      if state.device != old { state.announce(into: &messages) { _ in } }
    }
  }

  /// Handles an effect of the scale: changed quick actions and names of containers are announced.
  func handle(_ effect: Effect) {
    switch effect {
    case .containers(let list, _):
      let names = list.map(\.name.description)
      output.update { state, messages in
        guard state.device.containers != names else { return }
        state.announce(into: &messages) { $0.containers = names }
      }
    case .actions(let quickActions, _):
      output.update { state, messages in
        state.announce(into: &messages) { device in
          device.formerActions.formUnion(device.quickActions.map(\.type))
          device.quickActions = quickActions
        }
      }
    case .live, .reading, .settled, .contacts, .event, .result, .gesture, .control, .feedback, .record, .weighing,
      .lastWeighing, .containerChange, .pendingLabel, .memory, .padWarning, .sampling, .output,
      .learnedStops, .learnedStopChange:
      break
    }
  }

  /// Handles a message from a broker; returns whether Home Assistant has just started and therefore has no reading yet.
  func handle(_ message: IncomingMessage) -> Bool {
    let topics = output.read(\.topics)
    if topics.isBirth(message) {
      output.update { state, messages in state.announce(into: &messages) { _ in } }
      return !message.isRetained
    }
    guard message.isRetained, !message.payload.isEmpty else { return false }
    if message.topic == topics.former { replaceFormer(message) }
    guard message.topic == topics.discovery else { return false }
    let buttons = HomeAssistantDevice.actions(in: message.payload)
    let controls = HomeAssistantDevice.controls(in: message.payload)
    let hasPours = HomeAssistantDevice.hasPours(in: message.payload)
    let hasDoseButton = HomeAssistantDevice.hasDoseButton(in: message.payload)
    output.update { state, messages in
      guard state.isOn else { return messages.append(HomeAssistantDevice.removal(from: topics.discovery)) }
      let known = state.device.formerActions.union(state.device.quickActions.map(\.type))
      let knownControls = state.device.formerControls.union(state.device.controls)
      let knowsPours = !hasPours || state.device.hadPours || state.device.timesPours
      let knowsDose = !hasDoseButton || state.device.doseButton != .absent
      let isKnown = buttons.isSubset(of: known) && controls.isSubset(of: knownControls)
      guard !isKnown || !knowsPours || !knowsDose else { return }
      state.announce(into: &messages) { device in
        device.hadPours = device.hadPours || hasPours
        device.formerActions.formUnion(buttons)
        device.formerControls.formUnion(controls)
        if !knowsDose { device.doseButton = .removed }
      }
    }
    return false
  }

  /// Removes the announcement of a version that left the prefix out.
  ///
  /// The new announcement is removed and sent again after it: only then are the names of the former entities free.
  private func replaceFormer(_ message: IncomingMessage) {
    output.update { state, messages in
      guard HomeAssistantDevice.isAnnouncement(message.payload, of: state.device.topics) else { return }
      messages.append(HomeAssistantDevice.removal(from: message.topic))
      guard let announcement = state.announcement else { return }
      messages += [HomeAssistantDevice.removal(from: announcement.topic), announcement]
    }
  }
}

extension HomeAssistantDevice {
  /// Removes former actions and controls that exist again, and those beyond the limit.
  fileprivate mutating func removeFormerEntities(beyond most: Int) {
    formerActions.subtract(quickActions.map(\.type))
    while formerActions.count > most { formerActions.removeFirst() }
    formerControls.subtract(controls)
    while formerControls.count > most { formerControls.removeFirst() }
  }
}
