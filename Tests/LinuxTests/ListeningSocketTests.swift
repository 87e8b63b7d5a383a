import Glibc
import Testing

@testable import Linux

struct ListeningSocketTests {
  /// A kind of descriptor that a unit may pass.
  enum Kind: String, CaseIterable, Sendable {
    case tcp, tcp6, idle, udp, unix, file, closed

    var fault: String? {
      switch self {
      case .tcp, .tcp6: nil
      case .idle: "does not listen"
      case .udp, .unix: "not a TCP socket"
      case .file: "not a socket"
      case .closed: "Bad file descriptor"
      }
    }

    func open() -> Int32 {
      let stream = Int32(SOCK_STREAM.rawValue)
      switch self {
      case .tcp: return Self.bound(AF_INET, stream, listens: true)
      case .tcp6: return Self.bound(AF_INET6, stream, listens: true)
      case .idle: return Self.bound(AF_INET, stream, listens: false)
      case .udp: return Self.bound(AF_INET, Int32(SOCK_DGRAM.rawValue), listens: false)
      case .unix: return socket(AF_UNIX, stream, 0)
      case .file: return Glibc.open("/dev/null", O_RDONLY)
      // Above every limit.
      case .closed: return .max
      }
    }

    /// A socket on a free port of 127.0.0.1 or ::1.
    private static func bound(_ family: Int32, _ type: Int32, listens: Bool) -> Int32 {
      let descriptor = socket(family, type, 0)
      var four = sockaddr_in()
      four.sin_family = sa_family_t(AF_INET)
      four.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
      var six = sockaddr_in6()
      six.sin6_family = sa_family_t(AF_INET6)
      six.sin6_addr = in6addr_loopback
      let code =
        family == AF_INET
        ? withUnsafePointer(to: four) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, socklen_t(MemoryLayout.size(ofValue: four)))
          }
        }
        : withUnsafePointer(to: six) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, socklen_t(MemoryLayout.size(ofValue: six)))
          }
        }
      precondition(code == 0 && (!listens || listen(descriptor, 1) == 0), "errno \(errno)")
      return descriptor
    }
  }

  @Test(arguments: Kind.allCases) func usesOnlyATCPSocketThatListens(_ kind: Kind) {
    let descriptor = kind.open()
    defer { close(descriptor) }
    do throws(ListeningSocketError) {
      let socket = try ListeningSocket(descriptor, name: "http")
      #expect(kind.fault == nil)
      #expect(socket.address == (kind == .tcp6 ? "::1" : "127.0.0.1"))
      #expect(socket.port >= 1024)
      #expect(fcntl(descriptor, F_GETFD) == FD_CLOEXEC)
    } catch {
      #expect(error.description.hasPrefix("descriptor \(descriptor) (http): \(kind.fault ?? "?"); use"))
    }
  }

  @Test(
    arguments: [
      ("1", "1", "http", 0), ("me", nil, nil, 0), ("me", "0", "", 0), ("me", "-1", "", 0), ("me", "x", "", 0),
      (nil, "1", "http", 0), ("me", "1", nil, 1), ("me", "2", "http:", 2), ("me", "2", "http", 2),
    ] as [(String?, String?, String?, Int)])
  func readsTheVariables(_ process: String?, _ count: String?, _ names: String?, _ number: Int) {
    let process = process == "me" ? "\(getpid())" : process
    #expect(ListeningSocket.inherited(process: process, count: count, names: names).count == number)
  }

  @Test func removesTheVariables() {
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { setenv(name, "1", 1) }
    #expect(ListeningSocket.inherited().isEmpty)
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { #expect(getenv(name) == nil) }
  }
}
