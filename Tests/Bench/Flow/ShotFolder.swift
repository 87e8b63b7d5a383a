import Foundation

/// A folder with recordings of pours: those of Beanconqueror and of Decent Espresso machines, and those that
/// `grampad-bench real` uses.
struct ShotFolder {
  let path: String
  private let folder: RecordingFolder
  private let files: [String]

  /// Lists a folder and all folders in it.
  init(_ path: String) throws(RealDataError) {
    folder = try RecordingFolder(path)
    self.path = path
    files = (FileManager.default.subpaths(atPath: path) ?? []).sorted()
  }

  /// Reads all recordings; one that was stored several times counts once.
  func recordings() throws(RealDataError) -> [ShotRecording] {
    var recordings: [ShotRecording] = []
    for file in files {
      let name = file.split(separator: "/").last.map(String.init) ?? file
      guard let recording = try recording(name, at: "\(path)/\(file)"), recording.spread > 1,
        !recordings.contains(where: { $0.grams == recording.grams })
      else { continue }
      recordings.append(recording)
    }
    guard !recordings.isEmpty || folder.has(.brew) else {
      throw .noRecordings(folder: path, wanted: ["*.json of Beanconqueror", "*.shot of Decent", "shot-*.csv"])
    }
    return recordings
  }

  /// The pours of coffee-scales with the noise of a real cell; `nil` if they are not in the folder.
  func brew() throws(RealDataError) -> LoadSeries? { folder.has(.brew) ? try folder.series(.brew).first : nil }

  private func recording(_ name: String, at path: String) throws(RealDataError) -> ShotRecording? {
    if name.hasSuffix(".json") {
      return FileManager.default.contents(atPath: path).flatMap { ShotRecording(beanconqueror: $0, name: name) }
    }
    if name.hasSuffix(".shot") {
      let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
      return text.flatMap { ShotRecording(decent: $0, name: name) }
    }
    guard name.hasPrefix("shot-"), name.hasSuffix(".csv") else { return nil }
    return try ShotRecording(table: CSVTable(path), name: name)
  }
}

extension ShotRecording {
  /// The difference of the largest and the smallest weight.
  fileprivate var spread: Double { (grams.max() ?? 0) - (grams.min() ?? 0) }
}
