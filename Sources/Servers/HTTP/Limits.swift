import Weighing

/// The limits for clients, each and together; a client that exceeds them is rejected or disconnected.
package struct Limits: Hashable, Sendable {
  /// Maximum number of connections. At the limit, a new connection replaces another; see `ConnectionTable`.
  package var connections = 256
  /// Maximum number of connections per client address. Loopback is exempt: it may be a reverse proxy for many clients.
  package var connectionsPerAddress = 64
  /// Maximum number of live views; the remaining connections are for pages and actions.
  package var viewers = 32
  /// Maximum number of live views per client address; loopback is exempt.
  package var viewersPerAddress = 16
  /// Maximum size of a request line with its headers; RFC 9112, 3 recommends to accept a line of 8000 bytes.
  package var headBytes = 8192
  /// Maximum size of a body: an escaped label of 256 bytes with its JSON object needs less than half.
  package var bodyBytes = 4096
  /// Maximum size of a body with settings: 64 containers and four quick actions with all their parameters. Also that of a piece of
  /// a backup.
  package var settingsBytes = 65_536
  /// Maximum time for a whole request, counted from the connection or the previous response.
  package var requestTime = Interval.seconds(5)
  /// Maximum time for the client to read a piece of a response, 4 KB.
  package var answerTime = Interval.seconds(10)
  /// Time between two pings on a WebSocket.
  package var pingTime = Interval.seconds(5)
  /// Maximum time without a complete frame from a WebSocket client; it has to answer pings.
  package var silenceTime = Interval.seconds(30)
  /// Send buffer of a connection; the kernel doubles the value (socket(7), SO_SNDBUF). It is small because data that a
  /// slow viewer has not read is soon outdated, and the next piece then holds the newest.
  package var sendBuffer: Int32 = 16 * 1024

  /// The defaults.
  package init() {}

  /// Lowers the number of connections if the process may open only a few files.
  ///
  /// - Parameter descriptors: Number of descriptors available to the server.
  package mutating func fit(descriptors: Int) {
    // Half of them, because a replaced connection keeps its descriptor for a moment.
    connections = max(8, min(connections, descriptors / 2))
  }
}
