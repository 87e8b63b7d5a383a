import Messages

/// Composes the answers to requests as JSON without a line end.
enum RPCAnswer {
  /// A result, whose fields `body` writes.
  static func result(to id: RPCIdentifier, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
    message(id) { json in json.object("result", body) }
  }

  /// An error; without an identifier if it could not be read.
  static func error(_ error: RPCError, to id: RPCIdentifier?) -> [UInt8] {
    message(id) { json in
      json.object("error") { json in
        json.fields(("code", error.code.rawValue), ("message", error.message))
        guard let requested = error.requestedVersion else { return }
        json.object("data") { json in
          json.array("supported", ProtocolVersions.perRequest) { json, version in json.string(version) }
          json.field("requested", requested)
        }
      }
    }
  }

  /// The answers to a batch.
  static func batch(_ answers: [[UInt8]]) -> [UInt8] {
    JSONWriter.array { json in for answer in answers { json.verbatim(answer) } }
  }

  private static func message(_ id: RPCIdentifier?, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
    JSONWriter.object { json in
      json.field("jsonrpc", "2.0")
      json.key("id")
      switch id {
      case .text(let text): json.string(text)
      case .number(let number):
        // Without an exponent: clients compare the id as an integer.
        if let integer = Int(exactly: number) { json.integer(integer) } else { json.number(number) }
      case .literal(let literal): json.verbatim(Array(literal.utf8))
      case nil: json.null()
      }
      body(&json)
    }
  }
}

/// The versions of the protocol that the server speaks.
enum ProtocolVersions {
  /// Those that a client negotiates with `initialize`, oldest first.
  static let negotiated = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
  /// Those that a client states in every request instead.
  static let perRequest = ["2026-07-28"]

  /// The version to use with a client that asks for one: that version if the server speaks it, else the latest.
  static func negotiate(_ requested: String) -> String {
    negotiated.contains(requested) ? requested : negotiated[negotiated.count - 1]
  }

  /// Whether several messages may be sent as one array; later versions removed this.
  static func hasBatches(_ version: String) -> Bool { version == "2024-11-05" || version == "2025-03-26" }
}
