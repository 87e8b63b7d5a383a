import Configuration
import Messages
import Weighing

@testable import Client

/// A language model that uses the tools of the Model Context Protocol: the program `grampad mcp`, without its threads.
///
/// A call that blocks until the answer has arrived is made when it has arrived, or when the patience is over: a tool must ask for
/// what was sent, and must tell the model what was answered.
final class SimulatedModel: @unchecked Sendable {
  /// A call of a tool.
  struct Call {
    var action: Action
    var label: String?
    /// The weighing to void or relabel.
    var id: String?
  }

  private unowned let world: World
  private let name: String
  private var waiting: [String: Call] = [:]
  /// What the call that is made now asks for, and what it is answered.
  private var current: (call: Call, answer: CommandCall.Answer?)?
  private lazy var tools = makeTools()

  /// The same as that of `grampad mcp`.
  static let patience = Interval.seconds(5)

  init(_ name: String, in world: World) { (self.name, self.world) = (name, world) }

  var isAnswered: Bool { waiting.isEmpty }

  /// Waits for the answer to a command that was sent.
  func wait(for correlation: String, _ call: Call) {
    waiting[correlation] = call
    world.after(Self.patience) { [self] in finish(correlation, nil) }
  }

  /// The answer has arrived; `nil` if it has not in time. Only the first one counts.
  func finish(_ correlation: String, _ payload: [UInt8]?) {
    guard let call = waiting.removeValue(forKey: correlation) else { return }
    let fields = payload.flatMap { try? JSONFields($0, maximumBytes: $0.count) }
    let answer = payload.map { CommandCall.Answer(payload: $0, rejection: fields?.text("reason"), detail: nil) }
    let arguments: JSONValue =
      switch (call.id, call.label) {
      case (let id?, let label?): .object(["id": .string(id), "label": .string(label)])
      case (let id?, nil): .object(["id": .string(id)])
      case (nil, let label?): .object(["label": .string(label)])
      case (nil, nil): .object([:])
      }
    guard let tool = tools.first(where: { $0.name == call.action.rawValue }),
      let checked = try? ToolArguments(arguments, of: tool.arguments)
    else { return world.violation("\(name): the model cannot call \(call)") }
    current = (call, answer)
    let result = tool.run(checked, ToolCall(id: .text(correlation), tool: tool, arguments: checked) { _ in })
    current = nil
    switch result {
    case .success(let told):
      world.reached("model performed")
      if answer == nil || answer?.rejection != nil || told != payload {
        world.violation("\(name): the model is told that \(call) was performed")
      }
    case .failure(let reason):
      world.reached(answer == nil ? "model unknown" : "model rejected")
      if let answer, answer.rejection.map(reason.contains) != true {
        world.violation("\(name): the model is told \(reason) of \(call)")
      }
    }
  }

  private func makeTools() -> [Tool] {
    let broker = BrokerAddress(host: "broker", port: 1883)
    guard
      let observer = try? ScaleObserver(Configuration(), brokers: [broker], folder: "/", logger: World.quiet)
    else { return [] }
    let weighings = WeighingSource(read: { _ throws(ToolFailure) in true }, time: { _ in nil })
    return ScaleTools(observer, weighings: weighings) { [unowned self] (name, label, weighing, _) throws(ClientError) in
      guard let (call, answer) = current else { throw .noConnection(Self.patience) }
      if name != call.action.rawValue || label != call.label || weighing != WeighingReference(id: call.id) {
        world.violation("\(self.name): the model asks for \(name), not \(call)")
      }
      guard let answer else { throw .noAnswer(name, Self.patience) }
      return answer
    }.all
  }
}

extension JSONFields {
  /// A text; `nil` for anything else.
  func text(_ key: StaticString) -> String? {
    if case .string(let bytes)? = self[key] { String(decoding: bytes, as: UTF8.self) } else { nil }
  }

  /// A number; `nil` for anything else.
  func number(_ key: StaticString) -> Double? {
    if case .other(let bytes)? = self[key] { Double(String(decoding: bytes, as: UTF8.self)) } else { nil }
  }

  /// Whether a value is `true`.
  func isTrue(_ key: StaticString) -> Bool { self[key] == .other(Array("true".utf8)[...]) }
}
