import Foundation
import Testing
import Weighing

@testable import Journal

/// Real file systems: full, read-only, without permission. They take root.
@Suite(.enabled(if: geteuid() == 0, "mounting takes root")) struct DiskTests {
  @Test func aFullDiskLosesNothingAndIsRecoveredFrom() throws {
    let folder = try Folder()
    let disk = try Disk(folder.file("disk"), options: "size=1m")
    let path = disk.path + "/grampad.db"
    let journal = Journal.at(path)
    try journal.begin(configurationHash: "c", calibrationHash: "k", at: moment())
    try Bytes.write([UInt8](repeating: 1, count: 100_000), to: disk.path + "/filler")
    var recorded: [RecordedWeighing] = []
    var failure: JournalError?
    while failure == nil, recorded.count < 5000 {
      do throws(JournalError) {
        recorded.append(try journal.record(weighing(1), at: moment()))
      } catch {
        failure = error
      }
    }
    #expect(failure == .full(path: path))
    #expect(throws: JournalError.full(path: path)) { try journal.record(weighing(1), at: moment()) }
    #expect(try journal.history(since: nil).map(\.record) == recorded)
    try FileManager.default.removeItem(atPath: disk.path + "/filler")
    let next = try journal.record(weighing(2), at: moment())
    #expect(next.sequence == recorded.count + 1)
    #expect(try journal.verify().faults == [])
    print("full after \(recorded.count) records on a disk of 1 MiB")
  }

  @Test func aDiskThatIsFullAtTheStartIsRecoveredFrom() throws {
    let folder = try Folder()
    let disk = try Disk(folder.file("disk"), options: "size=512k")
    let path = disk.path + "/grampad.db"
    let filler = disk.path + "/filler"
    try Bytes.write([], to: filler)
    let handle = try #require(FileHandle(forWritingAtPath: filler))
    while (try? handle.write(contentsOf: [UInt8](repeating: 1, count: 4096))) != nil {}
    try handle.close()
    let journal = Journal.at(path)
    for _ in 1...2 { #expect(throws: JournalError.full(path: path)) { try journal.record(weighing(1), at: moment()) } }
    try FileManager.default.removeItem(atPath: filler)
    #expect(try journal.record(weighing(1), at: moment()).sequence == 1)
    #expect(try journal.verify().faults == [])
  }

  @Test func aReadOnlyDiskIsReadAndNotWritten() throws {
    let folder = try Folder()
    let disk = try Disk(folder.file("disk"), options: "size=1m")
    let path = disk.path + "/grampad.db"
    try sample(path)
    try disk.remount("ro")
    let journal = Journal.at(path)
    for _ in 1...2 {
      #expect(throws: JournalError.readOnly(path: path)) { try journal.record(weighing(1), at: moment()) }
    }
    let missing = disk.path + "/missing.db"
    #expect(throws: JournalError.readOnly(path: missing)) { try Journal.at(missing).open() }
    #expect(try Journal.reader(path: path, logger: quiet).verify().isClean)
    try disk.remount("rw")
    #expect(try journal.record(weighing(1), at: moment()).sequence == 8)
  }

  @Test func permissionsAreToldApart() throws {
    let folder = try Folder()
    let path = folder.file()
    try sample(path)
    chmod(folder.path, 0o755)
    /// What a user without rights sees.
    func seen(fileMode: mode_t, folderMode: mode_t, _ name: String = "grampad.db") -> JournalError? {
      chmod(path, fileMode)
      chmod(folder.path, folderMode)
      defer { chmod(folder.path, 0o755) }
      return unprivileged { () throws(JournalError) in try Journal.at(folder.file(name)).open() }
    }
    #expect(seen(fileMode: 0o600, folderMode: 0o777) == .notPermitted(path: path))
    #expect(seen(fileMode: 0o644, folderMode: 0o777) == .readOnly(path: path))
    #expect(seen(fileMode: 0o666, folderMode: 0o755) == .readOnly(path: path))
    #expect(seen(fileMode: 0o666, folderMode: 0o755, "new.db") == .notPermitted(path: folder.file("new.db")))
    #expect(seen(fileMode: 0o666, folderMode: 0o777) == nil)
    chmod(path, 0o600)
    let reading = unprivileged { () throws(JournalError) in
      _ = try Journal.reader(path: path, logger: quiet).history(since: nil)
    }
    #expect(reading == .notPermitted(path: path))
  }

  /// Runs `work` with the file access of an unprivileged user, which Linux keeps per thread.
  private func unprivileged(_ work: () throws(JournalError) -> Void) -> JournalError? {
    setfsuid(65534)
    defer { setfsuid(0) }
    do throws(JournalError) {
      try work()
      return nil
    } catch {
      return error
    }
  }
}

/// `setfsuid(2)`, which Glibc's module lacks.
@_silgen_name("setfsuid") @discardableResult private func setfsuid(_ user: uid_t) -> Int32

/// A file system in memory, mounted while the value lives.
private final class Disk {
  let path: String

  init(_ path: String, options: String) throws {
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try #require(mount("tmpfs", path, "tmpfs", 0, options) == 0, "mount: \(String(cString: strerror(errno)))")
  }

  func remount(_ mode: String) throws {
    let flags = UInt(32) | (mode == "ro" ? 1 : 0)  // MS_REMOUNT, MS_RDONLY (sys/mount.h)
    try #require(mount("tmpfs", path, "tmpfs", flags, nil) == 0, "remount: \(String(cString: strerror(errno)))")
  }

  deinit { umount2(path, 2) }  // MNT_DETACH
}

/// `mount(2)` and `umount2(2)`, which Glibc's module lacks.
@_silgen_name("mount") private func mount(
  _ source: UnsafePointer<CChar>, _ target: UnsafePointer<CChar>, _ type: UnsafePointer<CChar>, _ flags: UInt,
  _ data: UnsafePointer<CChar>?
) -> Int32
@_silgen_name("umount2") @discardableResult private func umount2(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32
