/// What clients may take up, each and together; a client that takes more is refused or cut off.
package struct Limits: Hashable, Sendable {
  /// So many connections at a time. At the limit, whoever has waited longest without a request gives way.
  package var connections = 96
  /// So many of them may follow the scale; the others are left for pages and actions.
  package var viewers = 32
  /// A request line with its headers has so many bytes at most; RFC 9112, 3 recommends to take a line of 8000.
  package var headBytes = 8192
  /// A body has so many bytes at most: a label of 256 bytes, escaped and wrapped, has less than half.
  package var bodyBytes = 4096
  /// A request is there as a whole within this time, from the connection or the last answer on.
  package var requestTime = Duration.seconds(5)
  /// A piece of an answer is taken within this time.
  package var answerTime = Duration.seconds(10)
  /// The kernel holds so many unsent bytes of a connection, which it doubles (socket(7), SO_SNDBUF): what a slow viewer
  /// has not read is soon old, and the next piece is then the newest.
  package var sendBuffer: Int32 = 16 * 1024

  /// The defaults.
  package init() {}
}
