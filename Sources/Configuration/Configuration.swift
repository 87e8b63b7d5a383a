import Weighing

/// Everything that can be set, with the value of every key that a file leaves out.
///
/// Plain values: what a file says, as it says it; paths stay relative (see `resolvingPaths(in:stateFolder:)`) and secrets
/// are never part of it, only the names of the files that hold them.
package struct Configuration: Hashable, Sendable {
  /// What the appliance is called.
  package var device = Device()
  /// The pad to read and how.
  package var pad = Pad()
  /// The properties of the scale.
  package var scale = Scale()
  /// How counts become grams.
  package var calibration = Calibration()
  /// When a reading is called stable.
  package var stability = Stability()
  /// Confirming by force.
  package var confirm = Confirm()
  /// Keys and GPIO buttons that fire an action.
  package var buttons: [Button] = []
  /// The quick actions, at most four.
  package var actions: [QuickAction] = []
  /// The brokers.
  package var mqtt = MQTT()
  /// How much is published.
  package var publish = Publish()
  /// Home Assistant discovery.
  package var homeAssistant = HomeAssistant()
  /// The record of weighings.
  package var journal = Journal()
  /// The web page.
  package var dashboard = Dashboard()
  /// The metrics beside the web page.
  package var metrics = Metrics()

  /// All defaults.
  package init() {}

  /// The sections, named as in the file and in its order.
  package enum Section: String, Hashable, Sendable, CaseIterable {
    case device, pad, scale, calibration, stability, confirm, buttons, actions, mqtt, publish
    case homeAssistant = "home_assistant"
    case journal, dashboard, metrics
  }
}
