/// What clients may take up, each and together; a client that takes more is refused or cut off.
package struct Limits: Hashable, Sendable {
  /// Maximum number of connections. At the limit a new one replaces another, see `Places`.
  package var connections = 256
  /// Maximum number of connections of one client address. Loopback is exempt: a reverse proxy there speaks for many.
  package var connectionsPerAddress = 64
  /// Maximum number of live views; the other connections are left for pages and actions.
  package var viewers = 32
  /// Maximum number of live views of one client address; loopback is exempt.
  package var viewersPerAddress = 16
  /// Maximum size of a request line with its headers; RFC 9112, 3 recommends to accept a line of 8000 bytes.
  package var headBytes = 8192
  /// Maximum size of a body: a label of 256 bytes, escaped and wrapped, has less than half.
  package var bodyBytes = 4096
  /// Maximum time for a whole request, from the connection or the last answer on.
  package var requestTime = Duration.seconds(5)
  /// Maximum time for the client to take a piece of an answer, 4 KB.
  package var answerTime = Duration.seconds(10)
  /// The kernel holds this many unsent bytes of a connection, which it doubles (socket(7), SO_SNDBUF): what a slow viewer
  /// has not read is soon old, and the next piece is then the newest.
  package var sendBuffer: Int32 = 16 * 1024

  /// The defaults.
  package init() {}

  /// Allows fewer connections where the process may open few files.
  ///
  /// - Parameter descriptors: How many of them the rest of the program leaves.
  package mutating func fit(descriptors: Int) {
    // Half of them: a replaced connection keeps its descriptor for a moment.
    connections = max(8, min(connections, descriptors / 2))
  }
}
