import Foundation
import FreePorts
import Glibc
import Synchronization

/// An MQTT 5 broker that refuses weighings on demand, which no real broker does; it has no subscribers.
final class RefusingBroker: Sendable {
  /// What it answers to a weighing.
  enum Answer: Sendable {
    /// PUBACK with this reason code.
    case code(UInt8)
    /// It closes the connection.
    case close
  }

  /// What it says in CONNACK.
  struct Limits: Sendable {
    var maximumPacketSize: UInt32?
    var maximumQoS: UInt8?
  }

  private struct State: Sendable {
    var limits: Limits
    var answer: @Sendable (_ sequence: Int) -> Answer
    var sequences: [Int] = []
    var accepted: [Int] = []
    var health: [String] = []
    var connections: [Int32] = []
    var connects = 0
  }

  let port: UInt16
  private let listener: Int32
  private let state: Mutex<State>

  init(_ limits: Limits = Limits(), answer: @escaping @Sendable (Int) -> Answer = { _ in .code(0) }) {
    state = Mutex(State(limits: limits, answer: answer))
    (listener, port) = FreePort.listen()
    let descriptor = listener
    Thread.detachNewThread { [weak self] in
      while case let connection = accept(descriptor, nil, nil), connection >= 0 {
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        guard let self else { break }
        self.state.withLock {
          $0.connections.append(connection)
          $0.connects += 1
        }
        Thread.detachNewThread { [weak self] in self?.serve(connection) }
      }
      // Here, where nothing is accepted any more: by then the number may be that of another file.
      close(descriptor)
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    dropConnections()
  }

  /// The sequences of all weighings that were sent to it, in order.
  var received: [Int] { state.withLock { $0.sequences } }
  /// Those that it has accepted.
  var accepted: [Int] { state.withLock { $0.accepted } }
  /// The newest health report.
  var health: String { state.withLock { $0.health.last ?? "" } }
  /// Connections so far.
  var connects: Int { state.withLock { $0.connects } }

  /// Answers differently from now on; limits are told to new connections.
  func change(_ limits: Limits = Limits(), answer: @escaping @Sendable (Int) -> Answer = { _ in .code(0) }) {
    state.withLock { ($0.limits, $0.answer) = (limits, answer) }
  }

  /// Ends all connections.
  func dropConnections() {
    let connections = state.withLock { state in
      defer { state.connections = [] }
      return state.connections
    }
    for connection in connections { shutdown(connection, Int32(SHUT_RDWR)) }
  }

  // MARK: - The protocol (MQTT 5, chapters 2 and 3)

  private func serve(_ connection: Int32) {
    defer {
      state.withLock { $0.connections.removeAll { $0 == connection } }
      // A program that another test started meanwhile may have inherited the socket, which keeps it open.
      shutdown(connection, Int32(SHUT_RDWR))
      close(connection)
    }
    while let (header, body) = Self.packet(connection) {
      switch header >> 4 {
      case 1: Self.say(greeting(), connection)
      case 3:
        guard let answer = take(header, body) else { return }
        Self.say(answer, connection)
      case 8: Self.say([0x90, 4, body[0], body[1], 0, 1], connection)
      case 10: Self.say([0xB0, 4, body[0], body[1], 0, 0], connection)
      case 12: Self.say([0xD0, 0], connection)
      default: return
      }
    }
  }

  private func greeting() -> [UInt8] {
    let limits = state.withLock { $0.limits }
    var properties: [UInt8] = []
    if let quality = limits.maximumQoS { properties += [0x24, quality] }
    if let size = limits.maximumPacketSize {
      properties += [0x27] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) }
    }
    return [0x20, UInt8(3 + properties.count), 0, 0, UInt8(properties.count)] + properties
  }

  /// Takes a PUBLISH; returns what to answer, `nil` to close the connection.
  private func take(_ header: UInt8, _ body: [UInt8]) -> [UInt8]? {
    let topicEnd = 2 + Int(body[0]) << 8 + Int(body[1])
    let topic = String(decoding: body[2..<topicEnd], as: UTF8.self)
    guard header >> 1 & 3 == 1 else { return [] }
    let identifier = body[topicEnd..<topicEnd + 2]
    // Our properties are shorter than 128 bytes: their length is one byte.
    let payload = String(decoding: body[(topicEnd + 3 + Int(body[topicEnd + 2]))...], as: UTF8.self)
    if topic.hasSuffix("/health") { state.withLock { $0.health.append(payload) } }
    guard topic.hasSuffix("/weighing"), let sequence = value(in: payload, ["sequence"]) as? Int else {
      return [0x40, 2] + identifier
    }
    let answer = state.withLock { state in
      state.sequences.append(sequence)
      let answer = state.answer(sequence)
      if case .code(let code) = answer, code < 0x80 { state.accepted.append(sequence) }
      return answer
    }
    switch answer {
    case .code(let code): return [0x40, 3] + identifier + [code]
    case .close: return nil
    }
  }

  private static func packet(_ connection: Int32) -> (header: UInt8, body: [UInt8])? {
    guard let header = read(1, connection)?[0] else { return nil }
    var length = 0
    var shift = 0
    repeat {
      guard let byte = read(1, connection)?[0] else { return nil }
      length |= Int(byte & 0x7F) << shift
      shift += 7
      if byte < 0x80 { break }
    } while true
    return read(length, connection).map { (header, $0) }
  }

  private static func read(_ count: Int, _ connection: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var have = 0
    while have < count {
      let got = bytes[have...].withUnsafeMutableBytes { Glibc.read(connection, $0.baseAddress, $0.count) }
      if got <= 0 { return nil }
      have += got
    }
    return bytes
  }

  private static func say(_ bytes: [UInt8], _ connection: Int32) {
    _ = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }
}
