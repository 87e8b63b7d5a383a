import Glibc

/// A plain client of TCP that gives up after 20 s; closed in its deinit.
final class LineSocket {
  private let descriptor: Int32

  init?(port: UInt16) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    name.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    // A small window, so that unread answers soon wait on the other side.
    var window: Int32 = 2048
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size))
    let result = withUnsafePointer(to: &name) { name in
      name.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if result != 0 { return nil }
  }

  deinit { close(descriptor) }

  /// Sends everything; `false` if the connection has ended.
  @discardableResult func send(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Sends nothing more.
  func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// The next bytes; empty at the end of the connection, `nil` if nothing arrives.
  func receive() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    if count < 0 { return errno == ECONNRESET ? [] : nil }
    return Array(bytes.prefix(count))
  }

  /// The next line without its end; `nil` at the end of the connection.
  func line() -> String? {
    var line: [UInt8] = []
    while !line.ends(with: [13, 10]) {
      var byte: UInt8 = 0
      guard recv(descriptor, &byte, 1, 0) == 1 else { return nil }
      line.append(byte)
    }
    return String(decoding: line.dropLast(2), as: UTF8.self)
  }
}

extension [UInt8] {
  fileprivate func ends(with suffix: [UInt8]) -> Bool { self.suffix(suffix.count).elementsEqual(suffix) }
}
