import Foundation
import Linux
import Messages
import Servers
import Synchronization
import Testing
import Weighing

@testable import Appliance

/// The backup that root has made, and the one that a client uploads for it.
@Suite struct MachineBackupTests {
  private static func upload(
    _ machine: PlayedMachine, _ text: String, at offset: Int, mayAct: Bool = false
  ) async -> MachineAnswer {
    await completed { machine.service.source.upload(Array(text.utf8), offset, mayAct, $0) }
  }

  private static func stored(_ bytes: Int) -> MachineAnswer { .state(Array(#"{"ok":true,"bytes":\#(bytes)}"#.utf8)) }

  private static func content(_ machine: PlayedMachine) -> String? {
    (try? fileBytes(machine.files.upload, limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Reads a backup to its end; `nil` if that fails.
  private static func read(_ backup: MachineBackup) async -> [UInt8]? {
    var bytes: [UInt8] = []
    while let piece = await completed(backup.read) {
      if piece.isEmpty { return bytes }
      bytes += piece
    }
    return nil
  }

  /// Root replaces the file while it is read: what was opened is sent.
  @Test func readsTheBackupThatItHasOpened() async throws {
    let machine = try PlayedMachine(PlayedMachine.state(isSetUp: false))
    func open() async -> MachineAnswer { await completed { machine.service.source.backup(false, $0) } }
    #expect(await open() == .noBackup)
    let old = [UInt8](repeating: 1, count: 200_000)
    try FileSystem.replaceFile(machine.files.backup, with: old, permissions: 0o640)
    guard case .file(let backup) = await open() else {
      Issue.record("there is a backup")
      return
    }
    try FileSystem.replaceFile(machine.files.backup, with: [2], permissions: 0o640)
    #expect(await Self.read(backup) == old)
    try machine.write(PlayedMachine.state(isSetUp: true))
    #expect(await open() == .forbidden)
  }

  @Test func storesPiecesInTheirOrder() async throws {
    let machine = try PlayedMachine(PlayedMachine.state(isSetUp: false)) { request in
      PlayedMachine.state(isSetUp: false, answer: PlayedMachine.done(request))
    }
    #expect(await Self.upload(machine, "late", at: 5) == .misplaced)
    #expect(Self.content(machine) == nil)
    #expect(await Self.upload(machine, "abc", at: 0) == Self.stored(3))
    #expect(await Self.upload(machine, "defg", at: 3) == Self.stored(7))
    // Neither a hole nor a piece that is sent again, and both change nothing.
    for offset in [3, 6, 8] { #expect(await Self.upload(machine, "x", at: offset) == .misplaced) }
    #expect(Self.content(machine) == "abcdefg")
    #expect(await Self.upload(machine, "new", at: 0) == Self.stored(3))
    #expect(Self.content(machine) == "new")
    _ = await completed { machine.service.source.perform(Array(#"{"do":"restore"}"#.utf8), false, $0) }
    #expect(machine.requests.last?["do"] == "restore" && Self.content(machine) == "new")
  }

  @Test func storesNothingOfAStranger() async throws {
    let machine = try PlayedMachine(PlayedMachine.state(isSetUp: true))
    #expect(await Self.upload(machine, "abc", at: 0) == .forbidden)
    #expect(Self.content(machine) == nil)
    #expect(await Self.upload(machine, "abc", at: 0, mayAct: true) == Self.stored(3))
  }

  /// A backup of which not even twice the size is free is refused, and its pieces are gone.
  @Test func keepsRoomForTheWeighings() async throws {
    let machine = try PlayedMachine(PlayedMachine.state(isSetUp: false))
    #expect(await Self.upload(machine, "abc", at: 0) == Self.stored(3))
    // A file with a hole has a size without having the room.
    #expect(truncate(machine.files.upload, 1 << 42) == 0)
    #expect(await Self.upload(machine, "x", at: 1 << 42) == .noRoom)
    #expect(Self.content(machine) == nil)
  }

  /// An upload of an earlier run, and one through a link.
  @Test func removesWhatIsThere() async throws {
    let machine = try PlayedMachine(PlayedMachine.state(isSetUp: false))
    _ = await Self.upload(machine, "abc", at: 0)
    let target = machine.files.backup
    try FileSystem.replaceFile(target, with: Array("kept".utf8), permissions: 0o640)
    try FileSystem.unlink(machine.files.upload)
    try FileManager.default.createSymbolicLink(atPath: machine.files.upload, withDestinationPath: target)
    #expect(await Self.upload(machine, "x", at: 4) == .silent, "a link is not followed")
    #expect(await Self.upload(machine, "new", at: 0) == Self.stored(3))
    #expect(try fileBytes(target, limit: 100) == Array("kept".utf8) && Self.content(machine) == "new")
    machine.service.stop()
    let next = MachineService(machine.files, logger: .init(label: "test"), onChange: { _ in })
    _ = await completed { next.source.state(true, $0) }
    #expect(Self.content(machine) == nil)
    next.stop()
  }
}
