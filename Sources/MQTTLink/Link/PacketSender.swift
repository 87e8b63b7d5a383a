import Messages

/// The broker as `Outgoing` uses it: a real one behind a `MosquittoHandle`, or one of a simulation.
protocol PacketSender: AnyObject {
  /// Whether the connection has ended.
  var isClosed: Bool { get }
  /// Whether unsent data remains, so that no more is accepted.
  var wantsToWrite: Bool { get }
  /// Events since the last time they were read.
  var arrivals: [Arrival] { get set }

  /// Sends one message; `expiry` is its remaining lifetime in whole seconds.
  func publish(_ message: Message, expiry: UInt32?) -> Publication
  /// Subscribes; returns the packet identifier, or the reason why the filter is invalid or the connection has ended.
  func subscribe(to filter: String, with quality: SubscriptionQuality) -> Result<Int32, LinkError>
  /// Unsubscribes; a failure of the connection shows with the next packet.
  func unsubscribe(from filter: String)
  /// Sends DISCONNECT, so that the broker does not publish the will.
  func disconnect()
}

/// The result of sending a message.
enum Publication {
  case sent(identifier: Int32)
  /// The message cannot be sent on this connection.
  case impossible(ReasonCode, text: String)
  /// The connection broke; the message may have been sent.
  case broken(LinkError)
}

/// An event of a connection, recorded when it happens and handled later, without a lock held.
enum Arrival: Sendable {
  /// CONNACK: its code, whether the session was present, and the broker's limits.
  case connack(code: UInt8, sessionPresent: Bool, receiveMaximum: UInt16?, packetSize: UInt32?, keepAlive: UInt16?)
  case acknowledgement(identifier: Int32, reason: UInt8)
  case message(IncomingMessage)
  case subscription(identifier: Int32, granted: [Int32])
  /// Recorded by the sender: a message with a token that cannot be sent.
  case rejection(token: UInt64, reason: ReasonCode)
  /// Recorded by the sender: another message that cannot be sent, with the reason.
  case unsendable(Message, ReasonCode, text: String)
  /// Recorded by the sender: a topic filter that cannot be subscribed to.
  case invalidFilter(String, reason: LinkError)
  /// The end of the connection, with a reason code of the broker or an error of the library.
  case end(code: Int32)
}
