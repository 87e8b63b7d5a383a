import Glibc
import Linux
import Logging
import Testing

@testable import Announcing

struct AnnouncerTests {
  /// Passes the lines on.
  private struct Lines: LogHandler {
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.trace
    let received: AsyncStream<String>.Continuation

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { received.yield("\(event.message)") }
  }

  private static let kitchen = Announcement(type: "_http._tcp", name: "Kitchen", port: 8385, texts: ["path": "/"])

  /// libdbus reads the address of the bus once in a process, so that this is one test: no bus at first, then one that accepts
  /// connections and never answers. Its calls would block for 25 s.
  @Test func neitherAMissingNorAHangingBusDelaysIt() async throws {
    let path = "/tmp/grampad-bus-\(getpid())"
    defer { unlink(path) }
    setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=\(path)", 1)
    let (lines, received) = AsyncStream<String>.makeStream()
    let announcer = Announcer(logger: Logger(label: "test") { _ in Lines(received: received) })
    announcer.announce([])
    announcer.announce([Self.kitchen])
    var iterator = lines.makeAsyncIterator()
    let line = await iterator.next()
    #expect(line?.hasPrefix("cannot announce the scale on the network; retrying") == true)

    let bus = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(bus) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let code = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(bus, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
    try #require(code == 0 && listen(bus, 8) == 0, "errno \(errno)")
    let connection = await withCheckedContinuation { continuation in
      OwnThread.start(name: "test") { continuation.resume(returning: accept(bus, nil, nil)) }
    }
    try #require(connection >= 0)
    defer { close(connection) }

    let duration = ContinuousClock().measure {
      announcer.announce([])
      announcer.announce([Self.kitchen])
      announcer.stop()
    }
    #expect(duration < .seconds(15))
    received.finish()
    #expect(await iterator.next() == nil)
  }

  @Test func endsBeforeItHasAThread() {
    let announcer = Announcer(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    announcer.announce([])
    announcer.stop()
  }
}
