import Messages
import Synchronization

/// A server of the Model Context Protocol that offers tools.
///
/// ```
/// client            server
/// initialize  --->         negotiates a version; until then only ping is answered
/// tools/list  --->         the tools with their schemas
/// tools/call  --->         queued, performed in order, answered when done
/// ```
/// A client of the version 2026-07-28 sends no `initialize`; it states its version in each request.
///
/// Specification: https://modelcontextprotocol.io/specification/2025-11-25
package final class ModelContextServer: Sendable {
  /// What a server says of itself.
  package struct Description: Sendable {
    let name: String
    let title: String
    let version: String
    /// For the model: what the tools have in common.
    let instructions: String
  }

  /// The maximum nesting of a message.
  private static let depth = 32
  /// The maximum number of messages in a batch.
  private static let batchLimit = 100
  /// The key of the protocol version in the metadata of a request, from version 2026-07-28 on.
  private static let versionKey = "io.modelcontextprotocol/protocolVersion"
  private static let capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"

  private let description: Description
  private let tools: [Tool]
  private let queue: ToolQueue
  private let send: @Sendable ([UInt8]) -> Void
  /// The negotiated version; `nil` before `initialize`.
  private let version = Mutex(String?.none)

  /// Makes a server.
  ///
  /// - Parameters:
  ///   - interrupt: Wakes a tool that waits, so that it looks at `ToolCall.isCancelled`.
  ///   - send: Sends a message, JSON without a line end; called on any thread.
  package init(
    _ description: Description, tools: [Tool], interrupt: @escaping @Sendable () -> Void = {},
    send: @escaping @Sendable ([UInt8]) -> Void
  ) {
    (self.description, self.tools, self.send) = (description, tools, send)
    queue = ToolQueue(interrupt: interrupt)
    queue.start()
  }

  /// Handles a line from the client.
  package func receive(_ line: [UInt8]) {
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONValue(line, maximumBytes: LineReader.maximumBytes, depth: Self.depth)
    } catch {
      return reject("invalid JSON: \(error)")
    }
    guard case .array(let messages) = json else { return handle(RPCMessage(json), send) }
    let hasBatches = version.withLock { $0.map(ProtocolVersions.hasBatches) ?? false }
    guard hasBatches, !messages.isEmpty, messages.count <= Self.batchLimit else {
      let reason =
        hasBatches
        ? "a batch must have 1 to \(Self.batchLimit) messages" : "the protocol version in use has no batches"
      return send(RPCAnswer.error(.invalidRequest(reason), to: nil))
    }
    let batch = RPCBatch(messages.map(RPCMessage.init), send)
    for message in batch.messages { handle(message, batch.add) }
  }

  /// Answers a line that is no JSON.
  package func reject(_ reason: String) { send(RPCAnswer.error(RPCError(code: .parseError, message: reason), to: nil)) }

  /// Waits until all calls are answered.
  package func finish() { queue.finish() }

  /// Handles a message.
  ///
  /// - Parameter answer: Called once for a request, with an empty array if the client has cancelled it.
  private func handle(_ message: RPCMessage, _ answer: @escaping @Sendable ([UInt8]) -> Void) {
    switch message {
    case .request(let request):
      do throws(RPCError) {
        try handle(request, answer)
      } catch {
        answer(RPCAnswer.error(error, to: request.id))
      }
    case .notification("notifications/cancelled", let parameters):
      if case .object(let fields)? = parameters, let id = RPCIdentifier("requestId", of: fields) { queue.cancel(id) }
    case .notification, .answer: break
    case .invalid(let id, let error): answer(RPCAnswer.error(error, to: id))
    }
  }

  private func handle(
    _ request: RPCRequest, _ answer: @escaping @Sendable ([UInt8]) -> Void
  ) throws(RPCError) {
    let statesVersion = try statesVersion(request)
    switch request.method {
    case "initialize" where !statesVersion: answer(try initialize(request))
    case "ping" where !statesVersion: answer(RPCAnswer.result(to: request.id) { _ in })
    case "server/discover" where statesVersion: answer(discover(request))
    case "tools/list", "tools/call":
      guard statesVersion || version.withLock({ $0 != nil }) else { throw .invalidRequest("send initialize first") }
      if request.method == "tools/list" {
        answer(try list(request, statesVersion))
      } else {
        try call(request, statesVersion, answer)
      }
    default: throw RPCError(code: .methodNotFound, message: "unknown method \(request.method.prefix(80))")
    }
  }

  /// Whether the request states its version, as from version 2026-07-28 on.
  private func statesVersion(_ request: RPCRequest) throws(RPCError) -> Bool {
    guard let metadata = request.parameters?["_meta"], let stated = metadata[Self.versionKey] else { return false }
    guard let stated = stated.text else { throw .invalidParameters("\(Self.versionKey) must be a string") }
    guard ProtocolVersions.perRequest.contains(stated) else {
      throw RPCError(code: .unsupportedVersion, message: "unsupported protocol version", requestedVersion: stated)
    }
    guard metadata[Self.capabilitiesKey] != nil else { throw .invalidParameters("\(Self.capabilitiesKey) is missing") }
    return true
  }

  // MARK: Requests

  private func initialize(_ request: RPCRequest) throws(RPCError) -> [UInt8] {
    guard let requested = request.parameters?["protocolVersion"]?.text else {
      throw .invalidParameters("protocolVersion is missing")
    }
    let negotiated = ProtocolVersions.negotiate(requested)
    let isFirst = version.withLock { version in
      defer { version = version ?? negotiated }
      return version == nil
    }
    guard isFirst else { throw .invalidRequest("the session is already initialized") }
    return RPCAnswer.result(to: request.id) { json in
      json.fields(("protocolVersion", negotiated))
      writeCapabilities(to: &json)
      writeIdentity("serverInfo", to: &json)
    }
  }

  private func discover(_ request: RPCRequest) -> [UInt8] {
    result(to: request.id, statesVersion: true) { json in
      json.array("supportedVersions", ProtocolVersions.negotiated + ProtocolVersions.perRequest) { json, version in
        json.string(version)
      }
      writeCapabilities(to: &json)
      Self.writeLifetime(to: &json)
    }
  }

  private func list(_ request: RPCRequest, _ statesVersion: Bool) throws(RPCError) -> [UInt8] {
    if let cursor = request.parameters?["cursor"], cursor != .null { throw .invalidParameters("unknown cursor") }
    return result(to: request.id, statesVersion: statesVersion) { json in
      json.array("tools", tools) { json, tool in tool.write(to: &json) }
      if statesVersion { Self.writeLifetime(to: &json) }
    }
  }

  private func call(
    _ request: RPCRequest, _ statesVersion: Bool, _ answer: @escaping @Sendable ([UInt8]) -> Void
  ) throws(RPCError) {
    guard let name = request.parameters?["name"]?.text else { throw .invalidParameters("name is missing") }
    guard let tool = tools.first(where: { $0.name == name }) else {
      throw .invalidParameters("unknown tool \(name.prefix(80))")
    }
    let answerCall: @Sendable (ToolResult?) -> Void = { [self] outcome in
      answer(
        outcome.map { outcome in
          result(to: request.id, statesVersion: statesVersion) { json in outcome.write(to: &json) }
        } ?? [])
    }
    let arguments: ToolArguments
    do throws(ToolArgumentError) {
      arguments = try ToolArguments(request.parameters?["arguments"], of: tool.arguments)
    } catch {
      // The model can correct its arguments, so it has to see the reason.
      return answerCall(.failure(error.description))
    }
    let call = ToolCall(id: request.id, tool: tool, arguments: arguments, answer: answerCall)
    if !queue.append(call) { answerCall(.failure("busy: \(ToolQueue.limit) calls are waiting; try again later")) }
  }

  // MARK: Parts of results

  /// A result, with the fields that version 2026-07-28 requires of each if the request states its version.
  private func result(
    to id: RPCIdentifier, statesVersion: Bool, _ body: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    RPCAnswer.result(to: id) { json in
      body(&json)
      guard statesVersion else { return }
      json.fields(("resultType", "complete"))
      json.object("_meta") { json in writeIdentity("io.modelcontextprotocol/serverInfo", to: &json) }
    }
  }

  private func writeCapabilities(to json: inout JSONWriter) {
    json.object("capabilities") { json in json.object("tools") { _ in } }
    json.field("instructions", description.instructions)
  }

  private func writeIdentity(_ key: String, to json: inout JSONWriter) {
    json.object(key) { json in
      json.fields(("name", description.name), ("title", description.title), ("version", description.version))
    }
  }

  /// How long a client may keep the answer: the tools do not change while the server runs.
  private static func writeLifetime(to json: inout JSONWriter) {
    json.fields(("ttlMs", 3_600_000), ("cacheScope", "private"))
  }
}
