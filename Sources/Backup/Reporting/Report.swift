import Glibc
import Logging
import Messages
import Weighing

/// What goes with a bug report: files about this machine and its appliance, without secrets and without weighings.
package struct Report: Sendable {
  /// A file in it.
  package struct Entry: Hashable, Sendable {
    /// Its name in the archive.
    package var name: String
    /// What it is, for people.
    package var subject: String
    /// Its bytes.
    package var bytes: [UInt8]
  }

  /// Something that is not in it.
  package struct Omission: Hashable, Sendable {
    /// What, for people.
    package var subject: String
    /// Why, and what would help.
    package var reason: String
  }

  /// What is in it, without the table of contents.
  package private(set) var entries: [Entry] = []
  /// What is not.
  package private(set) var omissions: [Omission] = []

  init() {}

  mutating func add(_ name: String, _ subject: String, _ bytes: [UInt8]) {
    entries.append(Entry(name: name, subject: subject, bytes: bytes))
  }

  mutating func add(_ name: String, _ subject: String, _ text: String) { add(name, subject, Array(text.utf8)) }

  mutating func leaveOut(_ subject: String, _ reason: String) {
    omissions.append(Omission(subject: subject, reason: reason))
  }

  /// Adds what `body` finds out, or why it cannot.
  mutating func add(_ name: String, _ subject: String, _ body: () throws(BackupError) -> [UInt8]) {
    do throws(BackupError) {
      add(name, subject, try body())
    } catch {
      leaveOut(subject, error.description)
    }
  }

  /// Takes secrets out of everything.
  mutating func redact(_ redaction: Redaction) {
    for index in entries.indices { entries[index].bytes = redaction(entries[index].bytes) }
    for index in omissions.indices {
      omissions[index].reason = String(decoding: redaction(Array(omissions[index].reason.utf8)), as: UTF8.self)
    }
  }

  /// The table of contents, as it stands in the archive, too.
  package var contents: String {
    var text = ""
    for entry in entries { text += "\(entry.name), \(entry.bytes.count) bytes: \(entry.subject)\n" }
    for omission in omissions { text += "left out: \(omission.subject): \(omission.reason)\n" }
    return text
  }

  /// Writes it as a tar archive packed by gzip; nothing has been written when this throws.
  ///
  /// - Parameter time: The time of day.
  package func write(to target: NewFile, at time: Instant) throws(BackupError) {
    let staging = try target.staging()
    let unpacked = try OpenFile(making: staging.file("unpacked"), name: target.path)
    let archive = TarWriter(to: unpacked, folder: "grampad-report", time: Int(time.nanoseconds / 1_000_000_000))
    try archive.add("contents.txt", Array(contents.utf8))
    for entry in entries { try archive.add(entry.name, entry.bytes) }
    try archive.end()
    let draft = try target.draft(in: staging)
    let packed = try Child.run(
      "gzip", ["-n", "-c"], input: try OpenFile(reading: staging.file("unpacked")), output: draft,
      patience: .seconds(60))
    guard packed.code == 0 else {
      let words = String(decoding: packed.output.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
      if words.contains(systemNoSpace) { throw .file(FileFault(target.path, .write, ENOSPC)) }
      throw .program("gzip", words)
    }
    if !target.isStandardOutput { draft.giveToCaller() }
    try target.publish(draft, in: staging)
  }

  private var systemNoSpace: String { "No space left" }
}
