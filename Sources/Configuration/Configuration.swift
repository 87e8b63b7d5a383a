import Messages
import Weighing

/// All settings, with defaults for the keys that a file omits.
///
/// Plain values as given in the file: paths stay relative (see `resolvingPaths(in:stateFolder:)`), and secrets are never
/// included, only the paths of their files.
package struct Configuration: Hashable, Sendable {
  /// The identity of the appliance.
  package var device = Device()
  /// The pad and how to read it.
  package var pad = Pad()
  /// The properties of the scale.
  package var scale = ScaleSettings.Scale()
  /// The conversion from counts to grams.
  package var calibration = Calibration()
  /// When a reading is stable.
  package var stability = ScaleSettings.Stability()
  /// Confirming by force.
  package var confirm = ScaleSettings.Confirm()
  /// Keys and GPIO buttons that trigger an action.
  package var buttons: [ButtonBinding] = []
  /// Barcode and RFID readers.
  package var scanners: [ScannerBinding] = []
  /// What their codes stand for, and what follows from a code.
  package var scanning = ScaleSettings.Scanning()
  /// The quick actions, at most four.
  package var actions: [QuickAction] = []
  /// The timer.
  package var timer = ScaleSettings.Timer()
  /// Stopping ahead of targets.
  package var target = ScaleSettings.Stopping()
  /// The outputs that doses switch.
  package var outputs: [OutputSwitch] = []
  /// The containers whose tare is known.
  package var containers: [Container] = []
  /// Whether a known container that is put on the empty scale is tared.
  package var containersAuto = false
  /// Scrubbing through the recorded weighings.
  package var history = ScaleSettings.History()
  /// The brokers.
  package var mqtt = MQTT()
  /// Publishing rates.
  package var publish = ScaleSettings.Publish()
  /// Home Assistant discovery.
  package var homeAssistant = HomeAssistant()
  /// The record of weighings.
  package var journal = Journal()
  /// The web page.
  package var dashboard = Dashboard()
  /// The metrics of the dashboard's server.
  package var metrics = Metrics()
  /// The lab protocol MT-SICS.
  package var sics = SICS()
  /// Typing the weighings as a keyboard.
  package var keyboard = Keyboard()

  /// The keys and values in the settings file that this version does not know, and that therefore have no effect.
  package var unknownSettings: [String] = []

  /// All defaults.
  package init() {}
}
