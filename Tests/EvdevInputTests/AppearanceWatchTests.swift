import Foundation
import Testing

@testable import EvdevInput

/// The watch on a real file system, in a temporary directory.
@Suite struct AppearanceWatchTests {
  private let root = FileManager.default.temporaryDirectory.appending(path: "evdev-watch-\(UUID().uuidString)").path
  private var input: String { root + "/input" }

  init() throws {
    try FileManager.default.createDirectory(atPath: root + "/input", withIntermediateDirectories: true)
  }

  private func touch(_ path: String) { #expect(FileManager.default.createFile(atPath: path, contents: nil)) }

  private func expect(
    _ news: Bool, _ watch: inout AppearanceWatch, _ location: SourceLocation = #_sourceLocation
  ) {
    let found = watch.drain()
    #expect(found == news, sourceLocation: location)
  }

  @Test func nodesOnly() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    var watch = try AppearanceWatch([.nodes(directory: input)])
    touch(input + "/event0")
    try watch.arm()
    expect(false, &watch)  // what was there before is no news
    touch(input + "/mouse0")
    touch(input + "/eventful")
    touch(root + "/event1")
    expect(false, &watch)
    touch(input + "/event1")
    expect(true, &watch)
    expect(false, &watch)  // told once
  }

  @Test func aChangeOfPermissionsAndAMove() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    touch(input + "/event0")
    touch(root + "/new")
    var watch = try AppearanceWatch([.path(input + "/event0")])
    try watch.arm()
    #expect(chmod(input + "/event0", 0o640) == 0)
    expect(true, &watch)
    #expect(rename(root + "/new", input + "/event0") == 0)
    expect(true, &watch)
    #expect(FileManager.default.contents(atPath: input + "/event0") != nil)
    expect(false, &watch)  // reading does not cause a wake-up
  }

  @Test func theTargetOfALink() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    try FileManager.default.createSymbolicLink(atPath: root + "/pad", withDestinationPath: "input/by-id/pad")
    var watch = try AppearanceWatch([.path(root + "/pad")])
    try watch.arm()
    touch(input + "/event0")
    expect(false, &watch)
    try FileManager.default.createDirectory(atPath: input + "/by-id", withIntermediateDirectories: true)
    expect(true, &watch)
    try watch.arm()
    try FileManager.default.createSymbolicLink(atPath: input + "/by-id/pad", withDestinationPath: "../event7")
    expect(true, &watch)
    try watch.arm()
    touch(input + "/event7")
    expect(true, &watch)
  }

  @Test func aDirectoryThatGoesAndComes() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    var watch = try AppearanceWatch([.nodes(directory: input)])
    try watch.arm()
    try FileManager.default.removeItem(atPath: input)
    expect(true, &watch)
    try watch.arm()
    touch(root + "/other")
    expect(false, &watch)
    try FileManager.default.createDirectory(atPath: input, withIntermediateDirectories: false)
    expect(true, &watch)
    try watch.arm()
    touch(input + "/event0")
    expect(true, &watch)
  }
}
