import Foundation
import Linux
import Logging
import Testing
import Weighing

@testable import EvdevInput

/// The parts that need no device: paths, stamps, errors, and the wait for a device on a real file system.
@Suite struct EdgeTests {
  @Test(arguments: [
    ("/dev/input/event3", "/dev/input", "event3"), ("/pad", "/", "pad"), ("/a/./b//../c/", "/a", "c"),
    ("/../../x/pad", "/x", "pad"),
  ]) func pathParts(path: String, parent: String, name: String) {
    let absolute = InputPath.absolute(path)
    #expect(parentFolder(of: absolute) == parent)
    #expect(InputPath.name(absolute) == name)
    #expect(InputPath.join(parent, name) == absolute)
  }

  @Test func relativePathsAreSeenFromTheWorkingDirectory() {
    let here = FileManager.default.currentDirectoryPath
    #expect(InputPath.absolute("pad") == here + "/pad")
    #expect(InputPath.resolved("../event1", in: "/dev/input/by-id") == "/dev/input/event1")
    #expect(InputPath.resolved("/x/y", in: "/dev/input/by-id") == "/x/y")
  }

  @Test func stampsOfTheWallClockAreMoved() {
    var stamps = EventStamps(areMonotonic: false, after: Instant(nanoseconds: 100))
    stamps.beginReading(monotonic: Instant(nanoseconds: 200), realtime: Instant(nanoseconds: 5200))
    #expect(stamps.instant(Instant(nanoseconds: 5150)) == Instant(nanoseconds: 150))
    // Before the start, and in the future: the time of the reading.
    #expect(stamps.instant(Instant(nanoseconds: 0)) == Instant(nanoseconds: 200))
    #expect(stamps.instant(Instant(nanoseconds: 9000)) == Instant(nanoseconds: 200))
    // The wall clock is set back by 1000 between two readings.
    stamps.beginReading(monotonic: Instant(nanoseconds: 300), realtime: Instant(nanoseconds: 4300))
    #expect(stamps.instant(Instant(nanoseconds: 4290)) == Instant(nanoseconds: 290))
    stamps.advance(to: Instant(nanoseconds: 295))
    #expect(stamps.instant(Instant(nanoseconds: 4291)) == Instant(nanoseconds: 300))
  }

  @Test func monotonicStampsStay() {
    var stamps = EventStamps(areMonotonic: true, after: Instant(nanoseconds: 100))
    stamps.beginReading(monotonic: Instant(nanoseconds: 200), realtime: Instant(nanoseconds: 5200))
    #expect(stamps.instant(Instant(nanoseconds: 150)) == Instant(nanoseconds: 150))
  }

  @Test(arguments: [
    ("/nonexistent", EvdevError.notFound(path: "/nonexistent")), ("/dev/null", .notEvdev(path: "/dev/null")),
    ("/tmp", .notEvdev(path: "/tmp")), ("/dev/null/x", .notFound(path: "/dev/null/x")),
  ]) func whatIsNoDeviceIsRefused(path: String, error: EvdevError) {
    #expect(throws: error) { try EvdevDevice(path: path) }
  }

  @Test func everyReasonIsToldOnceAndOnlyChangesWake() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "evdev-edge-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: root) }
    let path = root + "/a/pad"
    let input = try PadInput(.path(path), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    func told() -> [PadEvent] {
      var events: [PadEvent] = []
      while isReadable(input.fileDescriptor) { input.process { events.append($0) } }
      return events
    }
    #expect(told() == [.waiting(reason: EvdevError.notFound(path: path).sentence)])
    let files = FileManager.default
    try files.createDirectory(atPath: root + "/a", withIntermediateDirectories: true)
    #expect(files.createFile(atPath: root + "/a/another", contents: nil))
    #expect(told() == [])
    #expect(files.createFile(atPath: path, contents: Data("no device".utf8)))
    #expect(told() == [.waiting(reason: EvdevError.notEvdev(path: path).sentence)])
    try files.removeItem(atPath: root)
    try files.createDirectory(atPath: root + "/a", withIntermediateDirectories: true)
    #expect(told() == [.waiting(reason: EvdevError.notFound(path: path).sentence)])
    try files.createSymbolicLink(atPath: path, withDestinationPath: "/dev/null")
    #expect(told() == [.waiting(reason: EvdevError.notEvdev(path: path).sentence)])
  }

  private func isReadable(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) == 1
  }
}
