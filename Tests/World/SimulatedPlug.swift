import Messages
import Weighing

/// The plug of a scale: what the broker has accepted on its topic.
///
/// It is always connected, so that no message expires in the broker. A message that is under way when the program or the connection ends
/// may still arrive. Whatever happens, the plug is never switched on twice, not before the first switching off of a connection, and it is
/// off in the end.
final class SimulatedPlug {
  static let output = Output(name: OutputName("plug")!)  // a valid name

  private let topic: String
  private unowned let world: World
  private(set) var isOn = false
  /// Whether a connection has not switched it off yet.
  private var isUncertain = true

  init(_ name: String, in world: World) {
    (topic, self.world) = ("plug/\(name)", world)
    world.broker.tap(topic) { [unowned self] in accept($0) }
  }

  /// The message of a switching.
  func message(_ change: OutputChange) -> Message {
    OutputSwitch(output: Self.output, topic: topic).message(isOn: change.isOn)
  }

  /// A connection of the scale has begun.
  func connected() { isUncertain = true }

  private func accept(_ message: Message) {
    let isSwitchingOn = message.payload == Array("ON".utf8)
    world.note("\(topic) \(isSwitchingOn ? "ON" : "OFF")")
    world.reached(isSwitchingOn ? "plug on" : isOn ? "plug off" : "plug off again")
    if isSwitchingOn, isOn { world.violation("\(topic) was switched on twice") }
    if isSwitchingOn, isUncertain { world.violation("\(topic) was switched on before it was switched off") }
    isUncertain = isUncertain && isSwitchingOn
    isOn = isSwitchingOn
  }
}
