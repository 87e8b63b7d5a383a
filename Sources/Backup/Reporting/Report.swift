import Weighing

/// The files for a bug report about this machine and its appliance, without secrets and without weighings.
package struct Report: Sendable {
  /// A file in the report.
  package struct Entry: Hashable, Sendable {
    /// Its name in the archive.
    package var name: String
    /// Its description.
    package var subject: String
    /// Its content.
    package var bytes: [UInt8]
  }

  /// Something that is not in the report.
  package struct Omission: Hashable, Sendable {
    /// Its description.
    package var subject: String
    /// The reason and the remedy.
    package var reason: String
  }

  /// The files without the table of contents.
  package private(set) var entries: [Entry] = []
  /// What was left out.
  package private(set) var omissions: [Omission] = []

  init() {}

  mutating func add(_ name: String, _ subject: String, _ bytes: [UInt8]) {
    entries.append(Entry(name: name, subject: subject, bytes: bytes))
  }

  mutating func add(_ name: String, _ subject: String, _ text: String) { add(name, subject, Array(text.utf8)) }

  mutating func omit(_ subject: String, _ reason: String) {
    omissions.append(Omission(subject: subject, reason: reason))
  }

  /// Adds the result of `body`, or the reason why it failed.
  mutating func add(_ name: String, _ subject: String, _ body: () throws(BackupError) -> [UInt8]) {
    do throws(BackupError) {
      add(name, subject, try body())
    } catch {
      omit(subject, error.description)
    }
  }

  /// Removes secrets from all files.
  mutating func redact(_ redaction: Redaction) {
    for index in entries.indices { entries[index].bytes = redaction(entries[index].bytes) }
    for index in omissions.indices {
      omissions[index].reason = String(decoding: redaction(Array(omissions[index].reason.utf8)), as: UTF8.self)
    }
  }

  /// The table of contents, which is also in the archive.
  package var contents: String {
    var text = ""
    for entry in entries { text += "\(entry.name), \(entry.bytes.count) bytes: \(entry.subject)\n" }
    for omission in omissions { text += "left out: \(omission.subject): \(omission.reason)\n" }
    return text
  }

  /// Writes the report as a tar archive compressed by gzip. If this throws, nothing was written.
  ///
  /// - Parameter time: The time of day.
  package func write(to target: NewFile, at time: Instant) throws(BackupError) {
    let staging = try target.staging()
    let unpacked = try OpenFile(creating: staging.file("unpacked"), name: target.path)
    let archive = TarWriter(to: unpacked, folder: "grampad-report", time: Int(time.nanoseconds / 1_000_000_000))
    try archive.add("contents.txt", Array(contents.utf8))
    for entry in entries { try archive.add(entry.name, entry.bytes) }
    try archive.end()
    let draft = try target.draft(in: staging)
    let packed = try ChildProcess.run(
      "gzip", ["-n", "-c"], input: try OpenFile(reading: staging.file("unpacked")), output: draft,
      patience: .seconds(60))
    guard packed.code == 0 else {
      let words = String(decoding: packed.output.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
      if words.contains("No space left") { throw .file(FileFailure(target.path, .write, .noSpace)) }
      throw .program("gzip", words)
    }
    if !target.isStandardOutput { draft.changeOwnerToInvokingUser() }
    try target.publish(draft, in: staging)
  }
}
