import Foundation
import Glibc
import Linux
import Logging
import Synchronization
import Testing
import Weighing

@testable import EvdevInput

/// Device nodes that exist before udev has set their permissions.
@Suite(.enabled(if: geteuid() == 0, "making a device node takes root")) struct ButtonPermissionTests {
  private let directory = FileManager.default.temporaryDirectory.appending(path: "evdev-\(UUID().uuidString)").path
  private let log = LogLines()
  private var node: String { directory + "/event0" }

  private static let start = Instant(nanoseconds: 1_000_000_000)
  private static let unprivileged: uid_t = 65534
  /// Device 1:3, /dev/null.
  private static let null: dev_t = 1 << 8 | 3
  private static let refusal = "\(LogLines.prefix): no permission"
  /// The node is that of /dev/null: opened, it does not answer like an evdev device.
  private static let opened = "\(LogLines.prefix): not an evdev device"

  /// What the input has logged, each with its reason.
  private final class LogLines: LogHandler, Sendable {
    static let prefix = "cannot use button device"

    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    var metadata: Logger.Metadata {
      get { [:] }
      set {}
    }
    var logLevel: Logger.Level {
      get { .trace }
      set {}
    }

    subscript(metadataKey _: String) -> Logger.Metadata.Value? {
      get { nil }
      set {}
    }

    func log(event: LogEvent) {
      let reason = event.metadata?["button.reason"].map { "\($0)".split(separator: ";")[0] } ?? ""
      lines.withLock { $0.append("\(event.message): \(reason)") }
    }
  }

  init() throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory)
  }

  private func makeNode() { #expect(mknod(node, S_IFCHR, Self.null) == 0) }

  private func input() throws -> ButtonInput {
    let key = KeyCode(rawValue: 28)
    let bindings = [ButtonBinding(device: .automatic, key: key, action: "commit")]
    return try ButtonInput(bindings, directory: directory, logger: Logger(label: "test") { _ in log })
  }

  /// setfsuid(2), which the Glibc module lacks: the user for files, of this thread only.
  private static let setFileUser = unsafeBitCast(dlsym(nil, "setfsuid"), to: (@convention(c) (uid_t) -> CInt).self)

  /// Opens devices as another user.
  private func process(_ input: ButtonInput, after interval: Interval) {
    _ = Self.setFileUser(Self.unprivileged)
    defer { _ = Self.setFileUser(0) }
    input.process(at: Self.start + interval) { _, _ in }
  }

  @Test func permissionThatComesSoonIsNoFault() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    makeNode()
    let input = try input()
    process(input, after: .zero)
    #expect(log.all.isEmpty && input.nextDeadline == Self.start + PermissionGrace.time)
    #expect(chmod(node, 0o600) == 0)
    process(input, after: .milliseconds(100))
    #expect(log.all.isEmpty, "still refused")
    #expect(chmod(node, 0o666) == 0)
    process(input, after: .milliseconds(200))
    #expect(log.all == [Self.opened] && input.nextDeadline == nil)
  }

  @Test func permissionThatDoesNotComeIsReportedOnce() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let input = try input()
    process(input, after: .zero)
    makeNode()
    process(input, after: .seconds(1))
    let deadline = Interval.seconds(1) + PermissionGrace.time
    process(input, after: deadline + .milliseconds(-1))
    #expect(log.all.isEmpty && input.nextDeadline == Self.start + deadline)
    process(input, after: deadline)
    #expect(log.all == [Self.refusal] && input.nextDeadline == nil)
    #expect(chmod(node, 0o600) == 0)
    process(input, after: .seconds(60))
    #expect(log.all == [Self.refusal], "no change for the user")
    #expect(chmod(node, 0o666) == 0)
    process(input, after: .seconds(61))
    #expect(log.all == [Self.refusal, Self.opened])
  }

  @Test func aNewNodeHasItsOwnTime() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    makeNode()
    let input = try input()
    process(input, after: .zero)
    process(input, after: .seconds(10))
    #expect(log.all == [Self.refusal])
    #expect(unlink(node) == 0)
    input.exclude(nil)
    process(input, after: .seconds(11))
    makeNode()
    process(input, after: .seconds(12))
    #expect(log.all == [Self.refusal] && input.nextDeadline == Self.start + .seconds(12) + PermissionGrace.time)
    process(input, after: .seconds(20))
    #expect(log.all == [Self.refusal, Self.refusal])
  }
}
