import Glibc
import MQTTLink
import Messages

/// The socket of a light device; it never blocks.
///
/// libmosquitto needs three descriptors for each connection, and writes a byte into a pair of sockets with every packet,
/// which only its own loop reads again: too much for 10,000 connections in one process.
final class LightConnection {
  /// Why a connection ended.
  enum End: Error, Hashable {
    case closed
    case system(Int32)
    case notMQTT
    /// No answer in time.
    case silent
    /// CONNACK with another code than 0.
    case refused(ReasonCode)
  }

  let descriptor: Int32
  private var input: [UInt8] = []
  /// What is sent as soon as the socket accepts it.
  var output: PacketWriter

  var version: ProtocolVersion { output.version }

  /// Starts connecting. `connect(2)`
  init(to address: SocketAddress, version: ProtocolVersion) throws(End) {
    output = PacketWriter(version)
    descriptor = Glibc.socket(
      address.family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue),
      0)
    guard descriptor >= 0 else { throw .system(errno) }
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    let code = address.withPointer { Glibc.connect(descriptor, $0, $1) }
    if code != 0, errno != EINPROGRESS { throw .system(errno) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Why the connection was not established; `nil` if it was. `socket(7)`, SO_ERROR
  var error: Int32? {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 else { return errno }
    return code == 0 ? nil : code
  }

  /// Reads what has arrived.
  ///
  /// - Parameter buffer: Common to all connections, because most have nothing that is incomplete.
  func read(
    into packets: inout [Packet], with buffer: UnsafeMutableRawBufferPointer
  ) throws(End) {
    let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
    if count == 0 { throw .closed }
    if count < 0 {
      if errno == EAGAIN || errno == EINTR { return }
      throw .system(errno)
    }
    input += buffer.prefix(count)
    var rest = input[...]
    do throws(PacketError) {
      while let packet = try Packet.take(from: &rest, version) { packets.append(packet) }
    } catch {
      throw .notMQTT
    }
    input = rest.isEmpty ? [] : Array(rest)
  }

  /// Sends as much as the socket accepts.
  func flush() throws(End) {
    while !output.bytes.isEmpty {
      let count = send(descriptor, output.bytes, output.bytes.count, Int32(MSG_NOSIGNAL))
      if count < 0 {
        if errno == EAGAIN || errno == EINTR { return }
        throw .system(errno)
      }
      output.removeFirst(count)
    }
  }
}

/// The address of the broker, resolved once for all devices.
struct SocketAddress: Sendable {
  private let storage: sockaddr_storage
  private let length: socklen_t
  let family: Int32

  /// Resolves a host name; waits for the name server. `getaddrinfo(3)`
  init(_ broker: BrokerAddress) throws(LightFleetError) {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(broker.host, "\(broker.port)", &hints, &list)
    defer { if list != nil { freeaddrinfo(list) } }
    guard code == 0, let first = list?.pointee else {
      throw .unknownHost(broker.host, String(cString: gai_strerror(code)))
    }
    var storage = sockaddr_storage()
    memcpy(&storage, first.ai_addr, Int(first.ai_addrlen))
    self.storage = storage
    length = first.ai_addrlen
    family = first.ai_family
  }

  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }
}
