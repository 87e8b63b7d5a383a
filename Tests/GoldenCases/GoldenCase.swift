import Appliance
import Configuration
import Foundation
import Messages
import Recordings
import Weighing

/// A case in the folder `Golden`: an input and what `grampad replay` prints for it.
///
/// - `NAME.txt` is a script of three paragraphs: settings, input, expected output. See `ScriptedInput`.
/// - `NAME.evemu` is a recording, for cases that depend on its bytes. The expected output is in `NAME.expected`.
struct GoldenCase: Hashable, Sendable, CustomStringConvertible {
  /// How the input is stored.
  enum Format: String { case script = "txt", recording = "evemu" }

  /// The name of the file without its extension.
  let name: String
  /// How the input is stored.
  let format: Format

  var description: String { name }

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Golden")

  /// The names of all files.
  static func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }

  static func all() throws -> [GoldenCase] {
    try files().compactMap { file in
      let parts = file.split(separator: ".", maxSplits: 1)
      return parts.count == 2
        ? Format(rawValue: String(parts[1])).map { GoldenCase(name: String(parts[0]), format: $0) } : nil
    }
  }

  /// The case with that name.
  static func named(_ name: String) throws -> GoldenCase {
    guard let found = try all().first(where: { $0.name == name }) else { throw CocoaError(.fileNoSuchFile) }
    return found
  }

  // MARK: Input

  /// The configuration in YAML; a recording has the default one.
  func configuration() throws -> String { try format == .script ? script().configuration : "" }

  /// The JSON lines that `grampad replay` prints.
  func replayed() throws -> [UInt8] {
    let input = try format == .script ? script() : nil
    let evemu = try input?.evemu ?? [UInt8](Data(contentsOf: file(Format.recording.rawValue)))
    let recording = try EvemuReader.recording(from: evemu, requiresDescription: true)
    guard let pad = recording.description else { throw CocoaError(.fileReadCorruptFile) }
    let replay = try Replay(
      recording, description: pad,
      configuration: .parse(input?.configuration ?? "", file: "\(name).\(format.rawValue)"),
      actions: (input?.actions ?? []).map {
        Replay.TimedAction(name: $0.name, time: Interval(nanoseconds: $0.time * 1000))
      })
    var json = JSONWriter()
    var bytes: [UInt8] = []
    try replay.run { bytes += $0.bytes(&json) }
    return bytes
  }

  private func script() throws -> ScriptedInput {
    let text = try paragraphs().prefix(2).joined(separator: "\n\n")
    return try ScriptedInput(text, file: "\(name).\(format.rawValue)")
  }

  // MARK: Expected output

  /// The JSON lines that `grampad replay` is expected to print.
  func expected() throws -> String {
    switch format {
    case .recording: return try text(of: "expected")
    case .script:
      let paragraphs = try paragraphs()
      return paragraphs.count > 2 ? try ReplayColumns.json(paragraphs[2]) : ""
    }
  }

  /// Whether the file has its expected output as `rewrite` writes it.
  func isWrittenAsDifferences() throws -> Bool {
    try format == .recording || paragraphs().count < 3 || ReplayColumns.columns(expected()) == paragraphs()[2]
  }

  /// The line of the file that holds a line of the expected output, both counted from 0.
  func position(ofExpectedLine line: Int) throws -> String {
    switch format {
    case .recording: return "\(name).expected:\(line + 1)"
    case .script:
      let input = try paragraphs().prefix(2).joined(separator: "\n\n")
      return "\(name).txt:\(input.split(separator: "\n", omittingEmptySubsequences: false).count + line + 2)"
    }
  }

  /// Replaces the expected output by that of `replayed()`.
  func rewrite() throws {
    let output = String(decoding: try replayed(), as: UTF8.self)
    switch format {
    case .recording: try output.write(to: file("expected"), atomically: true, encoding: .utf8)
    case .script:
      let input = try paragraphs().prefix(2).joined(separator: "\n\n")
      let columns = try ReplayColumns.columns(output)
      try "\(input.trimmingCharacters(in: .newlines))\n\n\(columns)"
        .write(to: file("txt"), atomically: true, encoding: .utf8)
    }
  }

  /// Writes what a test of the program needs: `NAME.evemu`, `NAME.yaml`, `NAME.actions` with one `NAME@SECONDS` a line,
  /// and `NAME.expected`.
  func export(to folder: URL) throws {
    func write(_ bytes: some Sequence<UInt8>, _ ending: String) throws {
      try Data(bytes).write(to: folder.appending(path: "\(name).\(ending)"))
    }
    try write(expected().utf8, "expected")
    switch format {
    case .recording: try write(Data(contentsOf: file("evemu")), "evemu")
    case .script:
      let input = try script()
      try write(input.evemu, "evemu")
      try write(input.configuration.utf8, "yaml")
      try write(input.actions.map { "\($0.name)@\(Double($0.time) / 1e6)\n" }.joined().utf8, "actions")
    }
  }

  // MARK: Files

  private func file(_ ending: String) -> URL { Self.folder.appending(path: "\(name).\(ending)") }

  private func text(of ending: String) throws -> String { try String(contentsOf: file(ending), encoding: .utf8) }

  private func paragraphs() throws -> [String] {
    try text(of: format.rawValue).split(separator: "\n\n", maxSplits: 2).map(String.init)
  }
}
