import Foundation
import Testing

@testable import Servers

/// The link to the pseudo-terminal, and what may be in its place.
@Suite struct PseudoTerminalTests {
  /// A folder that is removed with the value.
  private final class Folder {
    let path = FileManager.default.temporaryDirectory.appending(path: "grampad-pty-\(UUID().uuidString)").path
    var link: String { path + "/balance" }
    var target: String? { try? FileManager.default.destinationOfSymbolicLink(atPath: link) }

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  @Test func existsAsLongAsTheTerminal() throws {
    let folder = try Folder()
    do {
      let terminal = try PseudoTerminal(link: folder.link)
      let client = open(folder.link, O_RDWR | O_NOCTTY)
      #expect(client >= 0 && isatty(client) == 1)
      defer { close(client) }
      // Raw: bytes arrive as they are, without an echo.
      #expect(write(client, "SI\r\n", 4) == 4)
      var bytes = [UInt8](repeating: 0, count: 16)
      #expect(read(terminal.descriptor, &bytes, bytes.count) == 4)
      #expect(bytes.prefix(4).elementsEqual("SI\r\n".utf8))
      var status = stat()
      #expect(fstat(client, &status) == 0 && status.st_mode & 0o777 == 0o660 && status.st_gid == getegid())
    }
    #expect(folder.target == nil)
  }

  @Test(arguments: ["/dev/pts/999999", "/dev/pts/0"]) func replacesTheLinkOfAKilledProcess(_ stale: String) throws {
    let folder = try Folder()
    #expect(symlink(stale, folder.link) == 0)
    let terminal = try PseudoTerminal(link: folder.link)
    let client = open(folder.link, O_RDWR | O_NOCTTY)
    defer { close(client) }
    #expect(write(client, "@\r\n", 3) == 3)
    var bytes = [UInt8](repeating: 0, count: 16)
    #expect(read(terminal.descriptor, &bytes, bytes.count) == 3)
  }

  @Test func leavesOtherFilesAlone() throws {
    let makers: [(String, (String) -> Bool)] = [
      ("a file", { FileManager.default.createFile(atPath: $0, contents: Data("mine".utf8)) }),
      ("a folder", { mkdir($0, 0o700) == 0 }), ("a link to a file", { symlink("/etc/passwd", $0) == 0 }),
      ("a link to a device", { symlink("/dev/ttyUSB0", $0) == 0 }),
    ]
    // Only root can make a file of another user.
    let more: (String) -> Bool = { symlink("/dev/pts/999999", $0) == 0 && lchown($0, 65534, 65534) == 0 }
    for (name, make) in makers + (geteuid() == 0 ? [("a link of another user", more)] : []) {
      let folder = try Folder()
      try #require(make(folder.link), "\(name)")
      var before = stat()
      lstat(folder.link, &before)
      let error = #expect(throws: SICSError.self, "\(name)") { _ = try PseudoTerminal(link: folder.link) }
      #expect(error?.description.contains("exists and is not a link of this user") == true, "\(name)")
      var after = stat()
      #expect(lstat(folder.link, &after) == 0 && after.st_ino == before.st_ino, "\(name)")
    }
  }

  /// A number that is closed a second time may be that of another thread's file by then.
  @Test func aFailureClosesOnlyWhatIsItsOwn() async throws {
    let folder = try Folder()
    try #require(mkdir(folder.link, 0o700) == 0)
    let other = Task.detached {
      var lost = 0
      while !Task.isCancelled {
        let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
        if close(file) != 0 { lost += 1 }
      }
      return lost
    }
    for _ in 0..<20_000 {
      #expect(throws: SICSError.self) { _ = try PseudoTerminal(link: folder.link) }
    }
    other.cancel()
    #expect(await other.value == 0)
  }

  /// What another process has put in its place stays when the terminal ends.
  @Test func removesOnlyItsOwnLink() throws {
    let folder = try Folder()
    do {
      let terminal = try PseudoTerminal(link: folder.link)
      unlink(folder.link)
      #expect(symlink("/dev/pts/999999", folder.link) == 0)
      withExtendedLifetime(terminal) {}
    }
    #expect(folder.target == "/dev/pts/999999")
  }
}
