/// Answers requests.
protocol Responder: Sendable {
  /// Decides on a request. Called on the loop, so it must not wait.
  func answer(to request: Request) -> Answer
}

/// A request that has arrived whole.
struct Request: Sendable {
  let head: RequestHead
  let body: [UInt8]
  /// The address of the client's end of the connection.
  let client: ClientAddress

  /// `GET`, in upper case.
  var method: String { head.method }
  /// The path as sent, without the query.
  var path: String { head.path }
  /// Whether it only reads: GET or HEAD.
  var isReading: Bool { method == "GET" || method == "HEAD" }

  /// The value of a header.
  ///
  /// - Parameter name: In lower case.
  subscript(name: String) -> String? { head[name] }
}

/// The answer to a request.
enum Answer: Sendable {
  case response(Response)
  /// A response that is not ready yet. The function passes it on once, on any thread.
  case later(@Sendable (_ completion: @escaping @Sendable (Response) -> Void) -> Void)
  /// The same for a response that may take a minute. The function returns another one, to be called if the client gives up.
  case waiting(@Sendable (_ completion: @escaping @Sendable (Response) -> Void) -> @Sendable () -> Void)
  /// The connection becomes a WebSocket.
  case webSocket(SnapshotSource)
}
