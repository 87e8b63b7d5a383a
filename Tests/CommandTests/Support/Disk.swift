import Foundation
import Testing

/// A small file system in memory, mounted in a folder for the lifetime of the value; requires root.
final class Disk: Sendable {
  let path: String
  private let folder: TemporaryFolder

  init(_ options: String) async throws {
    folder = try TemporaryFolder()
    path = folder.path
    let ended = try await Program("mount", ["-t", "tmpfs", "-o", options, "tmpfs", path]).ended()
    try #require(ended.code == 0, "\(ended.complaints)")
  }

  func remount(_ mode: String) async throws {
    let ended = try await Program("mount", ["-o", "remount,\(mode)", path]).ended()
    try #require(ended.code == 0, "\(ended.complaints)")
  }

  /// Fills all free space.
  func fill() throws {
    try #require(FileManager.default.createFile(atPath: "\(path)/filler", contents: nil))
    let file = try #require(FileHandle(forWritingAtPath: "\(path)/filler"))
    while (try? file.write(contentsOf: [UInt8](repeating: 1, count: 4096))) != nil {}
    try file.close()
  }

  func empty() throws { try FileManager.default.removeItem(atPath: "\(path)/filler") }

  deinit { umount2(path, 2) }  // MNT_DETACH (sys/mount.h)
}

/// `umount2(2)`, which Glibc's module lacks.
@_silgen_name("umount2") @discardableResult private func umount2(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32
