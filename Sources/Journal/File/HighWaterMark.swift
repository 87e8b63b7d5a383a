import Foundation
import Glibc
import Linux
import SystemPackage

/// The highest sequence number that a journal has assigned, stored outside the database file.
///
/// The file `NAME-mark` next to the database has slots 4096 bytes apart, so that a torn write affects only one. The first
/// two are the mark. They are written alternately, each followed by `fdatasync(2)`; the valid slot with the higher
/// generation counts. The third one is the intent, see `Intent`. Layout of a slot, all numbers big-endian:
///
/// | bytes | content |
/// | --- | --- |
/// | 0 ..< 8 | `GrmpMark` |
/// | 8 ..< 16 | generation, one higher with each write; of the intent: 1, or 2 if its request was rejected |
/// | 16 ..< 24 | sequence of the last weighing |
/// | 24 ..< 32 | `Value.announced` |
/// | 32 ..< 64 | chain hash of that weighing; zeros where the journal does not have it |
/// | 64 ..< 96 | SHA-256 of bytes 0 ..< 64 |
///
/// The intent is written before SQLite commits a weighing and the mark after it, and only then is the weighing confirmed.
/// After a crash in between, the journal is ahead of the mark. That is not a loss; a journal behind the mark is. A weighing that was
/// not answered counts; one of which the intent says that its request was rejected does not.
struct HighWaterMark: Sendable {
  /// The content of a mark.
  struct Value: Hashable, Sendable {
    /// The highest sequence number assigned.
    var sequence: Int
    /// The chain hash of that weighing; `nil` if its record is known to be lost.
    var digest: Digest?
    /// The losses announced so far, as the counter of the audit trail's entries of kind `journal`.
    var announced: Int
  }

  /// The weighing that was about to be committed last.
  struct Intent: Hashable, Sendable {
    var weighing: Value
    /// Whether its request was rejected, without knowing whether it is on disk.
    var isRejected = false
  }

  /// The state of the file.
  enum Content: Hashable, Sendable {
    /// There is no file, or it is empty.
    case missing
    /// Neither slot is valid.
    case damaged
    /// The newest valid slot.
    case value(Value)

    /// The value; `nil` without a valid slot.
    var value: Value? { if case .value(let value) = self { value } else { nil } }
  }

  /// The path of the mark.
  let path: String
  private let database: String

  /// The mark of the journal at `database`.
  init(of database: String) {
    self.database = database
    path = database + Self.suffix
  }

  /// The suffix of a mark's path.
  static let suffix = "-mark"

  /// Reads the mark. A directory in its place is treated as damaged.
  ///
  /// - Throws: `Errno` if the mark cannot be read: it is not known to be damaged then.
  func read() throws -> Content { try reading { try Self.content(of: $0).content } ?? .missing }

  /// The intent; `nil` without a valid one.
  func intent() throws -> Intent? {
    guard let slot = try reading({ try Self.slot(of: $0, at: Self.intentOffset).slot }) ?? nil else { return nil }
    return Intent(weighing: slot.value, isRejected: slot.generation == Self.rejected)
  }

  /// Returns `nil` without a file.
  private func reading<T>(_ body: (FileDescriptor) throws -> T) throws -> T? {
    do {
      let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
      defer { try? file.close() }
      return try body(file)
    } catch Errno.noSuchFileOrDirectory, Errno.notDirectory {
      return nil
    }
  }

  /// Writes the intent. That of a rejected request is flushed; any other only has to survive the process, and the mark that
  /// follows flushes the file.
  func write(_ intent: Intent) throws {
    let file = try openForWriting()
    defer { try? file.close() }
    let slot = Slot(generation: intent.isRejected ? Self.rejected : 1, value: intent.weighing)
    try file.writeAll(toAbsoluteOffset: Int64(Self.intentOffset), slot.bytes)
    if intent.isRejected, fdatasync(file.rawValue) != 0 { throw Errno(rawValue: errno) }
  }

  /// Why the mark could not be raised.
  struct RaiseError: Error, CustomStringConvertible {
    /// Whether the mark was written and only flushing it to disk failed: a new process finds it.
    var isWritten: Bool
    var reason: any Error

    var description: String { "\(reason)" }
  }

  /// Raises the mark to `value`. A higher mark is kept.
  ///
  /// - Parameters:
  ///   - announced: The new `Value.announced`; `nil` keeps the current one.
  ///   - isRepeated: Whether an equal mark is written again: after a failed flush the system may have dropped it.
  func raise(
    to sequence: Int, _ digest: Digest?, announced: Int? = nil, isRepeated: Bool = false
  ) throws(RaiseError) {
    var isWritten = false
    do {
      let file = try openForWriting()
      defer { try? file.close() }
      try Self.lock(file)
      let (content, newest) = try Self.content(of: file)
      let present = content.value
      if let present, present.sequence > sequence { return }
      let value = Value(sequence: sequence, digest: digest, announced: announced ?? present?.announced ?? 0)
      if value == present, !isRepeated { return }
      let slot = Slot(generation: (newest?.generation ?? 0) + 1, value: value)
      let offset = newest?.offset == 0 ? Self.stride : 0
      try file.writeAll(toAbsoluteOffset: Int64(offset), slot.bytes)
      isWritten = true
      if fdatasync(file.rawValue) != 0 { throw Errno(rawValue: errno) }
    } catch {
      throw RaiseError(isWritten: isWritten, reason: error)
    }
  }

  private func openForWriting() throws -> FileDescriptor {
    do {
      return try FileDescriptor.open(path, .readWrite, options: [.closeOnExec, .noFollow])
    } catch Errno.noSuchFileOrDirectory {
      return try create()
    }
  }

  private func create() throws -> FileDescriptor {
    let file = try FileDescriptor.open(
      path, .readWrite, options: [.create, .closeOnExec, .noFollow], permissions: FilePermissions(rawValue: 0o640))
    // All slots, so that a disk that becomes full later does not prevent writing the mark.
    _ = posix_fallocate(file.rawValue, 0, off_t(Self.intentOffset + Slot.size))
    // The service's user must be able to write a mark that root creates with `restore`.
    if geteuid() == 0, let status = try? Stat(database) {
      _ = fchown(file.rawValue, status.userID.rawValue, status.groupID.rawValue)
    }
    FileSystem.syncFolder(FileCondition(path).folder)
    return file
  }

  /// Waits for other writers of the mark, at most 2 s. `fcntl(2)`, "Open file description locks"
  private static func lock(_ file: FileDescriptor) throws {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_len = claimOffset
    for attempt in 1... {
      if fcntl(file.rawValue, setLock, &lock) == 0 { return }
      let error = Errno(rawValue: errno)
      let isTemporary = [.resourceTemporarilyUnavailable, .permissionDenied, .interrupted].contains(error)
      guard isTemporary, attempt < 200 else { throw error }
      usleep(10_000)
    }
  }

  /// F_OFD_SETLK, which the Glibc module does not export.
  private static let setLock: Int32 = 37

  private static let stride = 4096
  private static let intentOffset = 2 * stride
  /// The generation of an intent whose request was rejected.
  private static let rejected: UInt64 = 2

  /// The byte whose lock is the right to assign numbers, beyond the content.
  private static let claimOffset: off_t = 1 << 30

  /// The exclusive right to assign numbers, until the value is freed or the process ends.
  final class Claim: Sendable {
    private let file: FileDescriptor

    fileprivate init(_ file: FileDescriptor) { self.file = file }

    deinit { try? file.close() }
  }

  /// Claims the right to assign numbers; `nil` if another process has it.
  ///
  /// - Throws: `Errno` if the mark cannot be written.
  func claim() throws -> Claim? {
    let file = try openForWriting()
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = Self.claimOffset
    lock.l_len = 1
    if fcntl(file.rawValue, Self.setLock, &lock) == 0 { return Claim(file) }
    try? file.close()
    return nil
  }

  private static func content(
    of file: FileDescriptor
  ) throws -> (content: Content, newest: (generation: UInt64, offset: Int)?) {
    var newest: (slot: Slot, offset: Int)?
    var hasBytes = false
    for offset in [0, stride] {
      let (slot, isEmpty) = try slot(of: file, at: offset)
      if !isEmpty { hasBytes = true }
      if let slot, slot.generation > newest?.slot.generation ?? 0 { newest = (slot, offset) }
    }
    guard let newest else { return (hasBytes ? .damaged : .missing, nil) }
    return (.value(newest.slot.value), (newest.slot.generation, newest.offset))
  }

  private static func slot(of file: FileDescriptor, at offset: Int) throws -> (slot: Slot?, isEmpty: Bool) {
    var bytes = [UInt8](repeating: 0, count: Slot.size)
    do {
      let count = try bytes.withUnsafeMutableBytes { try file.read(fromAbsoluteOffset: Int64(offset), into: $0) }
      return (count == Slot.size ? Slot(bytes) : nil, count == 0)
    } catch Errno.isDirectory {
      return (nil, false)
    }
  }

  private struct Slot {
    /// Numbers above it do not come from counting and leave no room for later ones: the slot is damaged.
    static let largest: UInt64 = 1 << 52
    static let size = 96
    private static let magic = Array("GrmpMark".utf8)
    let generation: UInt64
    let value: Value

    init(generation: UInt64, value: Value) {
      (self.generation, self.value) = (generation, value)
    }

    init?(_ bytes: [UInt8]) {
      guard bytes.starts(with: Self.magic), Digest(of: Array(bytes[..<64])).bytes == Array(bytes[64...]) else {
        return nil
      }
      func number(_ offset: Int) -> UInt64 { bytes[offset..<offset + 8].reduce(0) { $0 << 8 | UInt64($1) } }
      guard [8, 16, 24].allSatisfy({ number($0) <= Self.largest }) else { return nil }
      generation = number(8)
      let digest = Digest(stored: Array(bytes[32..<64]))
      value = Value(
        sequence: Int(clamping: number(16)), digest: digest == .zero ? nil : digest,
        announced: Int(clamping: number(24)))
    }

    var bytes: [UInt8] {
      func bytes(_ number: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }
      let content =
        Self.magic + bytes(generation) + bytes(UInt64(clamping: value.sequence))
        + bytes(UInt64(clamping: value.announced)) + (value.digest ?? .zero).bytes
      return content + Digest(of: content).bytes
    }
  }
}
