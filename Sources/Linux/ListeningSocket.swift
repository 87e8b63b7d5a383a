import Glibc

/// A TCP socket that a service manager such as systemd has opened and that already listens. sd_listen_fds(3)
///
/// The descriptor stays open until the program ends.
package struct ListeningSocket: Sendable, Hashable {
  /// The descriptor, closed in programs that this one starts.
  package let descriptor: Int32
  /// The IPv4 or IPv6 address it listens on.
  package let address: String
  /// The port it listens on.
  package let port: UInt16

  /// The first descriptor that is passed: `SD_LISTEN_FDS_START`.
  private static let first: Int32 = 3

  /// Reads and removes the variables that the service manager has set, so that no child process inherits them, and returns the
  /// sockets for this process, or why one cannot be used; none without a service manager.
  ///
  /// Call it before other threads read the environment.
  package static func inherited() -> [Result<ListeningSocket, ListeningSocketError>] {
    func consume(_ name: String) -> String? {
      guard let value = getenv(name) else { return nil }
      defer { unsetenv(name) }
      return String(cString: value)
    }
    let (process, count, names) = (consume("LISTEN_PID"), consume("LISTEN_FDS"), consume("LISTEN_FDNAMES"))
    return inherited(process: process, count: count, names: names)
  }

  /// Returns the sockets that these values of the variables describe, or why one cannot be used.
  static func inherited(
    process: String?, count: String?, names: String?
  ) -> [Result<ListeningSocket, ListeningSocketError>] {
    // The variables may be meant for another process.
    guard process == "\(getpid())", let count = count.flatMap({ Int32($0) }), count > 0 else { return [] }
    let names = names?.split(separator: ":", omittingEmptySubsequences: false) ?? []
    return (0..<min(count, Int32(clamping: DescriptorLimit.current))).map { index in
      let name = names.indices.contains(Int(index)) ? String(names[Int(index)]) : ""
      return Result { () throws(ListeningSocketError) in try ListeningSocket(first + index, name: name) }
    }
  }

  /// Checks that a descriptor is a TCP socket that listens.
  ///
  /// - Parameter name: Its name in the unit of the socket, for messages.
  init(_ descriptor: Int32, name: String) throws(ListeningSocketError) {
    func error(_ fault: String) -> ListeningSocketError {
      ListeningSocketError(descriptor: descriptor, name: name, fault: fault)
    }
    guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw error(systemText(errno)) }
    guard let type = Self.option(SO_TYPE, of: descriptor) else { throw error("not a socket") }
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let code = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    guard code == 0, type == Int32(SOCK_STREAM.rawValue), let endpoint = Self.endpoint(of: storage) else {
      throw error("not a TCP socket")
    }
    guard Self.option(SO_ACCEPTCONN, of: descriptor) == 1 else { throw error("does not listen") }
    self.descriptor = descriptor
    (address, port) = endpoint
  }

  /// An integer option of a socket; `nil` if the descriptor is no socket. `getsockopt(2)`
  private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
  }

  /// Address and port; `nil` for another family than IPv4 and IPv6. `inet_ntop(3)`
  private static func endpoint(of storage: sockaddr_storage) -> (String, UInt16)? {
    withUnsafeBytes(of: storage) { bytes in
      var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
      let port: UInt16
      switch Int32(storage.ss_family) {
      case AF_INET:
        var address = bytes.load(as: sockaddr_in.self)
        port = address.sin_port
        inet_ntop(AF_INET, &address.sin_addr, &text, socklen_t(text.count))
      case AF_INET6:
        var address = bytes.load(as: sockaddr_in6.self)
        port = address.sin6_port
        inet_ntop(AF_INET6, &address.sin6_addr, &text, socklen_t(text.count))
      default: return nil
      }
      return (
        String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self), UInt16(bigEndian: port)
      )
    }
  }
}

/// Why a descriptor of the service manager cannot be used.
package struct ListeningSocketError: Error, Hashable, Sendable, CustomStringConvertible {
  fileprivate let descriptor: Int32
  fileprivate let name: String
  fileprivate let fault: String

  /// What is wrong, and what to do.
  package var description: String {
    let name = name.isEmpty ? "" : " (\(name.escapedForTerminal))"
    return "descriptor \(descriptor)\(name): \(fault); use ListenStream= with a port in the socket unit, and Accept=no"
  }
}
