import Foundation
import FreePorts
import Glibc
import Linux
import Messages
import Synchronization
import Weighing

@testable import MQTTLink

/// A TCP server that behaves badly: the other side of what a real broker never does.
final class TinyServer: Sendable {
  /// What it does with a connection.
  enum Manner: Sendable {
    /// Takes connections and never says a word.
    case silent
    /// Closes as soon as the first packet has come.
    case closing
    /// Resets connections: every other one at once, the others when their first packet has come, or a moment later.
    case resetting
    /// Answers MQTT 3.1.1 only: CONNACK 0x01 to any other version.
    case oldVersion
    /// Answers any CONNECT in the form of 3.1.1, which MQTT 5 cannot read.
    case careless
    /// Lets in, and after the first subscription says that it shuts down, which MQTT 5 can.
    case dismissing
    /// Lets in, and after the first subscription says that another client has taken over the session, which MQTT 5 can.
    case displacing
    /// Lets in, and after the first subscription sends half a packet and closes.
    case breakingOff
    /// Lets in and answers pings, but acknowledges neither messages nor subscriptions.
    case unacknowledging
    /// Lets in, and after the first subscription closes without a reason.
    case evicting
    /// Lets in once, rejects the first message with 0x87, which MQTT 5 can, and resets the connection at once, while more is sent.
    case refusing
    /// Lets in, rejects the first two messages with 0x97, which MQTT 5 can, and accepts all others.
    case limiting
    /// Lets in, rejects the first two subscriptions and grants all others.
    case rejecting
  }

  let port: UInt16
  private let listener: Int32
  private let manner: Manner
  private let levels = Mutex<[UInt8]>([])
  private let connections = Mutex<[Int32]>([])
  private let resets = Mutex(0)
  private let received = Mutex<[UInt8]>([])
  private let options = Mutex<[UInt8]>([])

  init(_ manner: Manner) {
    self.manner = manner
    (listener, port) = FreePort.listen()
    let listener = listener
    OwnThread.start(name: "tiny") { [weak self] in
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        // Inherited by a program that is started meanwhile, it would stay open after it is closed here.
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        guard let self else { break }
        self.connections.withLock { $0.append(connection) }
        self.serve(connection)
      }
      // Here, where nothing is accepted any more: by then the number may be that of another file.
      close(listener)
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    for connection in connections.withLock({ $0 }) { close(connection) }
  }

  var address: BrokerAddress { BrokerAddress(host: "127.0.0.1", port: port) }
  /// The protocol levels of the CONNECT packets so far: 5 or 4.
  var seenLevels: [UInt8] { levels.withLock { $0 } }

  /// The options of the subscriptions that an `evicting` or `rejecting` server has received, the QoS in the two lowest bits.
  var seenOptions: [UInt8] { options.withLock { $0 } }

  /// How often a text occurs in what an `unacknowledging` or `limiting` server has received.
  func count(of text: String) -> Int {
    String(decoding: received.withLock { $0 }, as: UTF8.self).components(separatedBy: text).count - 1
  }

  private func serve(_ connection: Int32) {
    if case .silent = manner { return }
    if case .resetting = manner { return reset(connection) }
    var bytes = [UInt8](repeating: 0, count: 1024)
    guard read(connection, &bytes, bytes.count) > 8 else { return }
    // The level stands behind the fixed header (2 bytes here) and the name "MQTT" (6 bytes).
    let level = bytes[8]
    levels.withLock { $0.append(level) }
    switch manner {
    case .silent, .resetting: return
    case .evicting:
      say(level == 5 ? [0x20, 3, 0, 0, 0] : [0x20, 2, 0, 0], connection)
      let count = read(connection, &bytes, bytes.count)
      if count > 0 { options.withLock { $0.append(bytes[count - 1]) } }
      end(connection)
    case .rejecting:
      say(level == 5 ? [0x20, 3, 0, 0, 0] : [0x20, 2, 0, 0], connection)
      while case let count = read(connection, &bytes, bytes.count), count > 3 {
        let number = options.withLock {
          $0.append(bytes[count - 1])
          return $0.count
        }
        let code: UInt8 = number > 2 ? 1 : 0x80
        say(level == 5 ? [0x90, 4, bytes[2], bytes[3], 0, code] : [0x90, 3, bytes[2], bytes[3], code], connection)
      }
    case .unacknowledging:
      say(level == 5 ? [0x20, 3, 0, 0, 0] : [0x20, 2, 0, 0], connection)
      while case let count = read(connection, &bytes, bytes.count), count > 0 {
        received.withLock { $0 += bytes[..<count] }
        // A PINGREQ comes alone, since it is sent only where nothing else is.
        if bytes[..<count].suffix(2) == [0xC0, 0] { say([0xD0, 0], connection) }
      }
    case .refusing:
      guard seenLevels.count == 1 else { return }
      say([0x20, 3, 0, 0, 0], connection)
      guard read(connection, &bytes, bytes.count) > 6 else { return }
      // A fixed header of 2 bytes and the topic with its length precede the packet identifier.
      let identifier = 4 + Int(bytes[3])
      say([0x40, 3, bytes[identifier], bytes[identifier + 1], 0x87], connection)
      abort(connection)
    case .limiting:
      say([0x20, 3, 0, 0, 0], connection)
      var count = 0
      while case let length = read(connection, &bytes, bytes.count), length > 6 {
        received.withLock { $0 += bytes[..<length] }
        count += 1
        let identifier = 4 + Int(bytes[3])
        say([0x40, 3, bytes[identifier], bytes[identifier + 1], count > 2 ? 0 : 0x97], connection)
      }
    case .closing: end(connection)
    case .oldVersion where level != 4:
      say([0x20, 2, 0, 1], connection)
      end(connection)
    case .oldVersion, .careless: say([0x20, 2, 0, 0], connection)
    case .breakingOff, .dismissing, .displacing:
      say(level == 5 ? [0x20, 3, 0, 0, 0] : [0x20, 2, 0, 0], connection)
      _ = read(connection, &bytes, bytes.count)
      // A DISCONNECT with 0x8B, server shutting down, or 0x8E, session taken over; or a PUBLISH of 100 bytes of which 3 come.
      switch manner {
      case .dismissing: say([0xE0, 1, 0x8B], connection)
      case .displacing: say([0xE0, 1, 0x8E], connection)
      default: say([0x30, 100, 0, 5, 0x68], connection)
      }
      end(connection)
    }
  }

  private func say(_ bytes: [UInt8], _ connection: Int32) { _ = write(connection, bytes, bytes.count) }
  private func end(_ connection: Int32) { shutdown(connection, Int32(SHUT_RDWR)) }

  /// At most 60 us later, another time with each connection.
  private func reset(_ connection: Int32) {
    let count = resets.withLock {
      $0 += 1
      return $0
    }
    if count % 2 == 1 {
      var byte: UInt8 = 0
      _ = read(connection, &byte, 1)
    }
    let moment = Instant.now() + Interval(nanoseconds: Int64(count % 60) * 1000)
    while .now() < moment {}
    abort(connection)
  }

  /// Closes a connection with a reset. `socket(7)`, SO_LINGER
  private func abort(_ connection: Int32) {
    var abortive = linger(l_onoff: 1, l_linger: 0)
    setsockopt(connection, SOL_SOCKET, SO_LINGER, &abortive, socklen_t(MemoryLayout<linger>.size))
    connections.withLock { $0.removeAll { $0 == connection } }
    close(connection)
  }
}
