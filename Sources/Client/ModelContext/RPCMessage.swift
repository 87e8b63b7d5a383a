import Messages

/// A message of JSON-RPC 2.0, as the Model Context Protocol uses it.
enum RPCMessage: Hashable, Sendable {
  /// A request, which must be answered.
  case request(RPCRequest)
  /// A notification, which must not be answered.
  case notification(method: String, parameters: JSONValue?)
  /// An answer. The server sends no requests, so it expects none.
  case answer
  /// Neither; with the error to answer with.
  case invalid(RPCIdentifier?, RPCError)

  /// Reads a message that has been parsed.
  init(_ json: JSONValue) {
    guard case .object(let fields) = json else {
      self = .invalid(nil, .invalidRequest("a message must be an object"))
      return
    }
    let identifier = RPCIdentifier("id", of: fields)
    guard fields["jsonrpc"]?.text == "2.0" else {
      self = .invalid(identifier, .invalidRequest("jsonrpc must be \"2.0\""))
      return
    }
    guard let method = fields["method"] else {
      self =
        fields["result"] != nil || fields["error"] != nil
        ? .answer : .invalid(identifier, .invalidRequest("method is missing"))
      return
    }
    guard let method = method.text else {
      self = .invalid(identifier, .invalidRequest("method must be a string"))
      return
    }
    guard fields["id"] != nil else {
      self = .notification(method: method, parameters: fields["params"])
      return
    }
    guard let identifier else {
      self = .invalid(nil, .invalidRequest("id must be a string or a number"))
      return
    }
    switch fields["params"] {
    // Some clients write null for what they leave out.
    case nil, .null?: self = .request(RPCRequest(id: identifier, method: method, parameters: nil))
    case .object?: self = .request(RPCRequest(id: identifier, method: method, parameters: fields["params"]))
    default: self = .invalid(identifier, .invalidParameters("params must be an object"))
    }
  }
}

/// A request.
struct RPCRequest: Hashable, Sendable {
  var id: RPCIdentifier
  var method: String
  /// An object, or `nil`.
  var parameters: JSONValue?
}

/// Identifies a request; chosen by the client and returned in the answer.
enum RPCIdentifier: Hashable, Sendable {
  case text(String)
  case number(Double)
  /// A number as it was written, because a `Double` may not hold it exactly.
  case literal(String)

  /// Reads the identifier in a field; `nil` for anything but a string or a number.
  init?(_ key: String, of fields: JSONObject) {
    switch fields[key] {
    case .string(let text): self = .text(text)
    case .number(let number): self = fields.literal(of: key).map(Self.literal) ?? .number(number)
    case .null, .boolean, .array, .object, nil: return nil
    }
  }
}

/// An error that answers a request.
struct RPCError: Error, Hashable, Sendable {
  /// The error codes of JSON-RPC 2.0, section 5.1, and one of the Model Context Protocol.
  enum Code: Int {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParameters = -32602
    case unsupportedVersion = -32022
  }

  var code: Code
  var message: String
  /// For `unsupportedVersion`: the requested version.
  var requestedVersion: String?

  static func invalidRequest(_ message: String) -> RPCError { RPCError(code: .invalidRequest, message: message) }
  static func invalidParameters(_ message: String) -> RPCError { RPCError(code: .invalidParameters, message: message) }
}
