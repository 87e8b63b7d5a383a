import Messages
import Weighing

/// A press on the pad of a remote scale.
struct WatchedPress: Hashable, Sendable {
  /// A recorded weighing while the press previews it.
  struct Weighing: Hashable, Sendable {
    /// The number in the journal as text.
    var number: String
    /// In grams.
    var net: Double?
    var label: String?

    init(_ json: JSONValue) {
      number = WatchedScale.mass(json["sequence"])
      net = json["net_g"]?.number
      label = json["label"]?.text
    }

    /// The text for the screen, such as `#12: 84 g, beans`.
    func text(_ unit: TerminalUnit) -> String { "#\(number): \(unit.text(net))" + (label.map { ", " + $0 } ?? "") }
  }

  var action: String
  var state: GestureReport.State
  var intention: Double
  /// The recorded weighing that the slide recalls.
  var weighing: Weighing?

  /// Reads a payload of the topic `gesture`; `nil` if it is not valid.
  init?(_ json: JSONValue) {
    guard let action = json["action"]?.text, let state = json["state"]?.text.flatMap(GestureReport.State.init),
      let intention = json["intention"]?.number
    else { return nil }
    (self.action, self.state) = (action, state)
    self.intention = min(max(intention, 0), 1)
    // A reading has no number.
    weighing = json["preview"].flatMap { $0["sequence"] == nil ? nil : Weighing($0) }
  }
}

/// A control of a remote scale while it is pressed.
struct WatchedControl: Hashable, Sendable {
  var name: ControlName
  var value: Double

  /// Evaluates a payload of the topic of a control; ignores one that is not valid.
  static func update(_ control: inout WatchedControl?, _ json: JSONValue, name: ControlName?) {
    guard let name, let state = json["state"]?.text.flatMap(ControlReport.State.init),
      let value = json["value"]?.number
    else { return }
    switch state {
    case .began, .changed: control = WatchedControl(name: name, value: min(max(value, 0), 1))
    case .ended, .cancelled: if control?.name == name { control = nil }
    }
  }
}
