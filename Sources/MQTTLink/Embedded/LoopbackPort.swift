import Glibc
import Linux

/// A TCP port on 127.0.0.1.
enum LoopbackPort {
  /// Binds and releases a port to check that it is free; 0 selects a free port. Returns the port number.
  static func claim(_ port: UInt16) throws(EmbeddedBrokerError) -> UInt16 {
    let socket = open()
    defer { close(socket) }
    var on: Int32 = 1
    // As mosquitto does: connections in TIME_WAIT do not block the port.
    _ = setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    if withAddress(port, { bind(socket, $0, $1) }) != 0 {
      let code = errno
      if code == EADDRINUSE { throw .portInUse(port, owner(of: port)) }
      throw .portRefused(port, systemText(code))
    }
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  /// Whether an MQTT broker responds within a second: CONNECT of 3.1.1 with an empty client identifier, CONNACK,
  /// DISCONNECT.
  static func speaksMQTT(_ port: UInt16) -> Bool {
    let socket = open()
    defer { close(socket) }
    var limit = timeval(tv_sec: 1, tv_usec: 0)
    _ = setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    guard withAddress(port, { connect(socket, $0, $1) }) == 0 else { return false }
    // MQTT 3.1.1, 3.1: name, level 4, clean session, keep-alive 10 s, empty client identifier.
    let hello: [UInt8] = [0x10, 12, 0, 4, 0x4D, 0x51, 0x54, 0x54, 4, 2, 0, 10, 0, 0]
    guard send(socket, hello, hello.count, Int32(MSG_NOSIGNAL)) == hello.count else { return false }
    var answer: [UInt8] = [0, 0, 0, 0]
    guard recv(socket, &answer, 4, Int32(MSG_WAITALL)) == 4, answer == [0x20, 2, 0, 0] else { return false }
    _ = send(socket, [0xE0, 0] as [UInt8], 2, Int32(MSG_NOSIGNAL))
    return true
  }

  private static func open() -> Int32 { socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0) }

  private static func withAddress(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }

  // MARK: - Listening process

  /// The process that listens on a port, if we have permission to see it. `proc(5)`
  /// A sandboxed service sees only processes in /proc, so the table is read from /proc/self/net.
  static func owner(of port: UInt16) -> PortOwner? {
    let inodes = ["/proc/self/net/tcp", "/proc/self/net/tcp6"].flatMap { listeners(in: text(of: $0), port: port) }
    guard !inodes.isEmpty else { return nil }
    for process in names(in: "/proc").compactMap({ Int32($0) }) {
      for descriptor in names(in: "/proc/\(process)/fd") {
        guard let target = FileSystem.target(ofLink: "/proc/\(process)/fd/\(descriptor)"),
          inodes.contains(where: { target == "socket:[\($0)]" })
        else { continue }
        let name = text(of: "/proc/\(process)/comm").split(separator: "\n").first.map(String.init) ?? "?"
        return PortOwner(process: process, name: name)
      }
    }
    return nil
  }

  /// The inodes of sockets in state 0A (listening) with this local port: columns 2, 4 and 10 of the table.
  private static func listeners(in table: String, port: UInt16) -> [Substring] {
    table.split(separator: "\n").dropFirst().compactMap { line in
      let columns = line.split(separator: " ")
      guard columns.count > 9, columns[3] == "0A", let digits = columns[1].split(separator: ":").last,
        UInt16(digits, radix: 16) == port
      else { return nil }
      return columns[9]
    }
  }

  private static func names(in folder: String) -> [String] { (try? FileSystem.names(in: folder)) ?? [] }

  private static func text(of path: String) -> String {
    String(decoding: (try? fileBytes(path, limit: mostBytes)) ?? [], as: UTF8.self)
  }

  /// More than the table of all sockets; a line has 150 bytes.
  private static let mostBytes = 1 << 24
}
