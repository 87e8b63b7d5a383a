import Foundation
import Testing

/// The files of an appliance that is not running: configuration, settings, calibration and a journal.
struct SavedScale {
  let folder: TemporaryFolder
  var path: String { "\(folder.path)/scale.yaml" }
  var journal: String { "\(folder.path)/grampad.db" }

  static let settings = "device: {name: Bench}\nscale: {unit: oz}\n"
  static let previousSettings = "device: {name: Shelf}\n"
  static let calibration = "points: [{raw: 0, grams: 0}, {raw: 1000, grams: 100}]\n"

  /// Creates the files.
  ///
  /// - Parameters:
  ///   - weighings: The number of weighings; no journal for 0.
  ///   - extra: Additional configuration.
  init(weighings: Int, extra: String = "", in parent: String? = nil) async throws {
    folder = try parent.map { try TemporaryFolder(in: $0) } ?? TemporaryFolder()
    try folder.write("scale.yaml", "device: {name: Saved}\ncalibration: {file: calibration.yaml}\n\(extra)")
    try folder.write("calibration.yaml", Self.calibration)
    try folder.write("grampad.settings.yaml", Self.settings)
    try folder.write("grampad.settings.yaml.previous", Self.previousSettings)
    if weighings > 0 { try await weigh(weighings) }
  }

  /// Adds weighings to the journal, as an appliance with another pad would.
  func weigh(_ count: Int, to journal: String? = nil) async throws {
    let memory = try TemporaryFolder()
    let recording = try memory.write("load.evemu", Recorded.device + Recorded.longLoad)
    let commits = (0..<count).flatMap { ["--action", String(format: "commit@%.3f", 2 + Double($0) / 200)] }
    let made = try await Program.run(
      ["replay", recording, "--journal", journal ?? self.journal] + commits, output: "/dev/null", within: .seconds(60))
    try #require(made.code == 0, "\(made.complaints)")
  }

  /// Creates a backup of the files.
  func saved(in folder: TemporaryFolder, as name: String = "good.tar") async throws -> String {
    let file = "\(folder.path)/\(name)"
    let ended = try await Program.run(["backup", file, "--config", path])
    try #require(ended.code == 0, "\(ended.complaints)")
    return file
  }

  func isInOrder() async throws -> Bool {
    try await Program.run(["history", "verify", "--journal", journal]).code == 0
  }
}
