import Messages
import Synchronization

/// A function that a model can call.
package struct Tool: Sendable {
  /// The effect of a call on the scale and its records.
  package enum Effect: Sendable {
    /// It changes nothing.
    case none
    /// It only adds something.
    case addition
    /// It changes a setting that can be changed back, and no record.
    case setting
    /// It replaces or revokes something. If it is called again with the same arguments, `isIdempotent` states whether
    /// the second call changes nothing.
    case replacement(isIdempotent: Bool)
  }

  let name: String
  /// For people.
  let title: String
  /// For the model: what the tool does, when to call it, and when not.
  let description: String
  let effect: Effect
  let arguments: [ToolField]
  let result: [ToolField]
  /// Performs a call; may block.
  let run: @Sendable (ToolArguments, ToolCall) -> ToolResult

  /// Declares a tool.
  package init(
    _ name: String, title: String, description: String, effect: Effect, arguments: [ToolField], result: [ToolField],
    run: @escaping @Sendable (ToolArguments, ToolCall) -> ToolResult
  ) {
    (self.name, self.title, self.description, self.effect) = (name, title, description, effect)
    (self.arguments, self.result, self.run) = (arguments, result, run)
  }

  /// Writes the tool as an entry of `tools/list`.
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.fields(("name", name), ("title", title), ("description", description))
      ToolField.write("inputSchema", schemaOf: arguments, isClosed: true, to: &json)
      ToolField.write("outputSchema", schemaOf: result, isClosed: false, to: &json)
      json.object("annotations") { json in
        json.fields(("title", title))
        for (key, hint) in hints { json.field(key, hint) }
      }
    }
  }

  /// The hints about the effect. A scale is a closed world: it interacts with nothing else.
  private var hints: [(String, Bool)] {
    switch effect {
    case .none: [("readOnlyHint", true), ("openWorldHint", false)]
    case .addition:
      [("readOnlyHint", false), ("destructiveHint", false), ("idempotentHint", false), ("openWorldHint", false)]
    case .setting:
      [("readOnlyHint", false), ("destructiveHint", false), ("idempotentHint", true), ("openWorldHint", false)]
    case .replacement(let isIdempotent):
      [("readOnlyHint", false), ("destructiveHint", true), ("idempotentHint", isIdempotent), ("openWorldHint", false)]
    }
  }
}

/// The outcome of a call.
package enum ToolResult: Sendable {
  /// The result as a JSON object.
  case success([UInt8])
  /// What failed and what to do about it, for the model.
  case failure(String)

  /// Writes the fields of the result of `tools/call`: the JSON as text for the model and as a value for programs.
  func write(to json: inout JSONWriter) {
    let (text, isError) =
      switch self {
      case .success(let payload): (String(decoding: payload, as: UTF8.self), false)
      case .failure(let text): (text, true)
      }
    json.key("content")
    json.array { json in json.object { json in json.fields(("type", "text"), ("text", text)) } }
    if case .success(let payload) = self {
      json.key("structuredContent")
      json.verbatim(payload)
    }
    json.field("isError", isError)
  }
}

/// A call in progress.
package final class ToolCall: Sendable {
  let id: RPCIdentifier
  let tool: Tool
  let arguments: ToolArguments
  /// Called once with the result, `nil` if the client has cancelled the call.
  let answer: @Sendable (ToolResult?) -> Void
  private let cancelled = Atomic(false)

  init(
    id: RPCIdentifier, tool: Tool, arguments: ToolArguments, answer: @escaping @Sendable (ToolResult?) -> Void
  ) {
    (self.id, self.tool, self.arguments, self.answer) = (id, tool, arguments, answer)
  }

  /// Whether the client no longer wants the result.
  package var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  func cancel() { cancelled.store(true, ordering: .relaxed) }
}
