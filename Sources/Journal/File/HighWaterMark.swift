import Foundation
import Glibc
import SystemPackage

/// The highest sequence number that a journal has assigned, stored outside the database file.
///
/// The file `NAME-mark` next to the database has two slots, 4096 bytes apart so that a torn write affects only one.
/// They are written alternately, each followed by `fdatasync(2)`; the valid slot with the higher generation counts.
/// Layout of a slot, all numbers big-endian:
///
/// | bytes | content |
/// | --- | --- |
/// | 0 ..< 8 | `GrmpMark` |
/// | 8 ..< 16 | generation, one higher with each write |
/// | 16 ..< 24 | sequence of the last weighing |
/// | 24 ..< 32 | `Value.announced` |
/// | 32 ..< 64 | chain hash of that weighing; zeros where the journal does not have it |
/// | 64 ..< 96 | SHA-256 of bytes 0 ..< 64 |
///
/// SQLite commits before the mark is written, so that after a crash in between the journal is ahead of the mark. That
/// is not a loss; a journal behind the mark is.
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

  /// Reads the mark. An unreadable mark is treated as damaged.
  func read() -> Content {
    do {
      let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
      defer { try? file.close() }
      return Self.content(of: file).content
    } catch Errno.noSuchFileOrDirectory, Errno.notDirectory {
      return .missing
    } catch {
      return .damaged
    }
  }

  /// Raises the mark to `value`. A higher mark is kept.
  ///
  /// - Parameter announced: The new `Value.announced`; `nil` keeps the current one.
  /// - Throws: `Errno`.
  func raise(to sequence: Int, _ digest: Digest?, announced: Int? = nil) throws {
    let file = try openForWriting()
    defer { try? file.close() }
    try Self.lock(file)
    let (content, newest) = Self.content(of: file)
    let present = content.value
    if let present, present.sequence > sequence { return }
    let value = Value(sequence: sequence, digest: digest, announced: announced ?? present?.announced ?? 0)
    if value == present { return }
    let slot = Slot(generation: (newest?.generation ?? 0) + 1, value: value)
    let offset = newest?.offset == 0 ? Self.stride : 0
    try file.writeAll(toAbsoluteOffset: Int64(offset), slot.bytes)
    if fdatasync(file.rawValue) != 0 { throw Errno(rawValue: errno) }
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
    // Both slots, so that a disk that becomes full later does not prevent writing the mark.
    _ = posix_fallocate(file.rawValue, 0, off_t(Self.stride + Slot.size))
    // The service's user must be able to write a mark that root creates with `restore`.
    if geteuid() == 0, let status = try? Stat(database) {
      _ = fchown(file.rawValue, status.userID.rawValue, status.groupID.rawValue)
    }
    FileDescriptor.sync(FileCondition(path).folder)
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

  /// The byte whose lock is the right to assign numbers, beyond the content.
  private static let claimOffset: off_t = 1 << 30

  /// The exclusive right to assign numbers, until the value is freed or the process ends.
  final class Claim: Sendable {
    private let file: FileDescriptor

    fileprivate init(_ file: FileDescriptor) { self.file = file }

    deinit { try? file.close() }
  }

  /// Claims the right to assign numbers; `nil` if another process has it, or if the mark cannot be written.
  func claim() -> Claim? {
    guard let file = try? openForWriting() else { return nil }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = Self.claimOffset
    lock.l_len = 1
    if fcntl(file.rawValue, Self.setLock, &lock) == 0 { return Claim(file) }
    try? file.close()
    return nil
  }

  private static func content(of file: FileDescriptor) -> (content: Content, newest: (generation: UInt64, offset: Int)?)
  {
    var newest: (slot: Slot, offset: Int)?
    var hasBytes = false
    for offset in [0, stride] {
      var bytes = [UInt8](repeating: 0, count: Slot.size)
      let count = bytes.withUnsafeMutableBytes { try? file.read(fromAbsoluteOffset: Int64(offset), into: $0) }
      if count != 0 { hasBytes = true }
      guard count == Slot.size, let slot = Slot(bytes) else { continue }
      if slot.generation > newest?.slot.generation ?? 0 { newest = (slot, offset) }
    }
    guard let newest else { return (hasBytes ? .damaged : .missing, nil) }
    return (.value(newest.slot.value), (newest.slot.generation, newest.offset))
  }

  private struct Slot {
    static let size = 96
    private static let magic = Array("GrmpMark".utf8)
    let generation: UInt64
    let value: Value

    init(generation: UInt64, value: Value) {
      self.generation = generation
      self.value = value
    }

    init?(_ bytes: [UInt8]) {
      guard bytes.starts(with: Self.magic), Digest(of: Array(bytes[..<64])).bytes == Array(bytes[64...]) else {
        return nil
      }
      func number(_ offset: Int) -> UInt64 { bytes[offset..<offset + 8].reduce(0) { $0 << 8 | UInt64($1) } }
      generation = number(8)
      let digest = Digest(stored: Array(bytes[32..<64]))
      value = Value(
        sequence: Int(clamping: number(16)), digest: digest == .zero ? nil : digest,
        announced: Int(clamping: number(24)))
    }

    var bytes: [UInt8] {
      func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
      }
      let content =
        Self.magic + bytes(generation) + bytes(UInt64(clamping: value.sequence))
        + bytes(UInt64(clamping: value.announced)) + (value.digest ?? .zero).bytes
      return content + Digest(of: content).bytes
    }
  }
}
