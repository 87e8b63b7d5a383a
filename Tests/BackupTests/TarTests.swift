import Foundation
import Testing

@testable import Backup

/// The archives: read by GNU tar, and by us only as we write them.
@Suite struct TarTests {
  private static let files: [(String, [UInt8])] = [
    ("empty", []), ("one", [7]), ("block", [UInt8](repeating: 1, count: 512)),
    ("large", (0..<70_001).map { UInt8(truncatingIfNeeded: $0) }),
  ]

  private func archive(_ folder: TestFolder) throws -> [UInt8] {
    let file = try OpenFile(creating: folder.file("archive.tar"))
    let writer = TarWriter(to: file, folder: "folder", time: 1_795_000_000)
    for (name, bytes) in Self.files { try writer.add(name, bytes) }
    try writer.end()
    return try folder.bytes("archive.tar")
  }

  private func read(_ bytes: [UInt8], in folder: TestFolder) throws -> [[UInt8]] {
    try folder.write("read.tar", bytes)
    var reader = TarReader(try OpenFile(reading: folder.file("read.tar")), folder: "folder")
    var files: [[UInt8]] = []
    for (name, bytes) in Self.files {
      if files.count == 2 {
        var pieces: [UInt8] = []
        try reader.file(name, size: bytes.count) { (piece) throws(BackupError) in pieces += piece }
        files.append(pieces)
      } else {
        files.append(try reader.file(name, limit: 1 << 20))
      }
    }
    #expect(try reader.next() == nil)
    return files
  }

  @Test func isReadAsWritten() throws {
    let folder = try TestFolder()
    #expect(try read(archive(folder), in: folder) == Self.files.map(\.1))
  }

  @Test func tarUnpacksIt() throws {
    let folder = try TestFolder()
    _ = try archive(folder)
    let listed = try ChildProcess.run("tar", ["--list", "--verbose", "--file", folder.file("archive.tar")])
    let lines = String(decoding: listed.output, as: UTF8.self).split(separator: "\n")
    #expect(listed.code == 0 && lines.count == Self.files.count)
    #expect(lines.allSatisfy { $0.hasPrefix("-rw------- 0/0") })
    let unpacked = try ChildProcess.run("tar", ["-C", folder.path, "-xf", folder.file("archive.tar")])
    #expect(unpacked.code == 0 && unpacked.output.isEmpty)
    for (name, bytes) in Self.files { #expect(try folder.bytes("folder/\(name)") == bytes) }
  }

  /// One bit anywhere, a byte more, any number of bytes less: never taken for an archive with other headers.
  @Test func nothingElseIsRead() throws {
    let folder = try TestFolder()
    let good = try archive(folder)
    for place in Array(0..<600) + Array(stride(from: 600, to: good.count, by: 397)) {
      var bytes = good
      bytes[place] ^= 1 << UInt8(place % 8)
      guard let files = try? read(bytes, in: folder) else { continue }
      // Contents are protected by hashes elsewhere; only contents may differ.
      #expect(zip(files, Self.files).allSatisfy { $0.count == $1.1.count }, "\(place)")
      #expect(files != Self.files.map(\.1), "\(place)")
    }
    for count in Array(stride(from: 0, to: 1100, by: 11)) + Array(stride(from: 1100, to: good.count, by: 509)) {
      #expect(throws: BackupError.self, "\(count) bytes") { try read(Array(good[..<count]), in: folder) }
    }
    #expect(throws: BackupError.self) { try read(good + [0], in: folder) }
  }

  @Test func aHeaderIsOurOwnOrNone() {
    let header = TarHeader(name: "folder/file", size: 5, time: 7)
    #expect(TarHeader(header.block) == header && header.padding == 507)
    #expect(TarHeader([UInt8](repeating: 0, count: 512)) == nil)
    for name in ["/etc/passwd", "folder/../../etc/passwd", "other/file"] {
      // A name decides nothing: it is compared with the one that has to come.
      #expect(TarHeader(TarHeader(name: name, size: 5, time: 7).block)?.name == name)
    }
  }
}

/// A folder that goes away with the value.
final class TestFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "appliance-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }
  func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: file(name)))) }
  func write(_ name: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
  }
}
