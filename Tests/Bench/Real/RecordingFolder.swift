import Foundation

/// A folder with recordings of real load cells.
struct RecordingFolder {
  let path: String
  /// The path of each file by its name.
  private let files: [String: String]

  /// A recording that the bench knows.
  enum Name: String, CaseIterable, Sendable {
    case brew
    case coldstart
    case startup
    case shotReal = "shot-real"
    case shotNegative = "shot-negative"
    case hanging

    /// The name of its file.
    var file: String {
      switch self {
      case .brew: "coffee-scales-brew.csv"
      case .coldstart: "coffee-scales-coldstart.csv"
      case .startup: "coffee-scales-startup.csv"
      case .shotReal: "shot-real.csv"
      case .shotNegative: "shot-negative.csv"
      case .hanging: "loadingTest - connection 0 - UART COM3.csv"
      }
    }
  }

  /// Lists a folder and all folders in it.
  init(_ path: String) throws(RealDataError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
      throw .noFolder(path)
    }
    self.path = path
    var files: [String: String] = [:]
    for file in (FileManager.default.subpaths(atPath: path) ?? []).sorted() {
      let name = file.split(separator: "/").last.map(String.init) ?? file
      if files[name] == nil { files[name] = "\(path)/\(file)" }
    }
    self.files = files
  }

  /// Whether the folder has a recording.
  func has(_ name: Name) -> Bool { files[name.file] != nil }

  /// Reads a recording: one series for each of its load cells.
  func series(_ name: Name) throws(RealDataError) -> [LoadSeries] {
    switch name {
    case .brew: [try coffeeScales(name, .placements)]
    case .coldstart, .startup: [try coffeeScales(name, .empty)]
    case .shotReal: [try shot(name, capacity: 385)]
    case .shotNegative: [try shot(name, capacity: 2000)]
    case .hanging: try hangingLoads()
    }
  }

  private func table(_ file: String) throws(RealDataError) -> CSVTable {
    guard let path = files[file] else { throw .noRecordings(folder: path, wanted: [file]) }
    return try CSVTable(path)
  }

  /// Counts of the cells of `hanging` under known masses.
  static let calibrationFile = "Calibration values gmF.csv"

  /// Counts per gram of the bar load cell of coffee-scales: the ratio of its columns `raw_data` and `1_after_scaling`.
  private static let coffeeCounts = 1540.32

  /// A recording of mortenfyhn/coffee-scales: raw counts of an HX711 with a bar load cell of 1 kg.
  private func coffeeScales(_ name: Name, _ kind: LoadSeries.Kind) throws(RealDataError) -> LoadSeries {
    let table = try table(name.file)
    let grams = try table.numbers("raw_data").map { $0 / Self.coffeeCounts }
    var own: [LoadSeries.OwnFilter] = []
    if name == .brew {
      let steady = try table.numbers("is_steady").map { $0 != 0 }
      own = [
        LoadSeries.OwnFilter(name: "own_smoothing", levels: try table.numbers("2_after_smoothing")),
        LoadSeries.OwnFilter(name: "own_display", levels: try table.numbers("4_after_hysteresis"), isSteady: steady),
      ]
    } else {
      let column = name == .coldstart ? "4_after_hysteresis" : "3_after_hysteresis"
      own = [LoadSeries.OwnFilter(name: "own_display", levels: try table.numbers(column))]
    }
    return LoadSeries(
      name: name.rawValue, kind: kind, times: try table.times("time"), grams: Self.aboveStart(grams),
      countsPerGram: Self.coffeeCounts, bits: 23, capacity: 1000, own: own)
  }

  /// A pour of miharekar/visualizer, as a Bluetooth scale has reported it: one count is its 0.1 g.
  private func shot(_ name: Name, capacity: Double) throws(RealDataError) -> LoadSeries {
    let table = try table(name.file)
    return LoadSeries(
      name: name.rawValue, kind: .pour, times: try table.times("time_s"), grams: try table.numbers("weight_g"),
      countsPerGram: 10, bits: 16, capacity: capacity)
  }

  /// The three cells of telenaco/FARE-KE, `Comparison Beam load cells`: loads of 2.2 to 2.3 kg are hung on and taken
  /// off eight times. They pull the counts down.
  private func hangingLoads() throws(RealDataError) -> [LoadSeries] {
    let table = try table(Name.hanging.file)
    let calibration = try self.table(Self.calibrationFile)
    let weights = try calibration.numbers("Weight")
    let times = try table.times("micros ()", unit: 1e-6)
    var series: [LoadSeries] = []
    for (name, column, calibrated) in [
      ("hanging-czl635", "635 ()", "CZL635"), ("hanging-degraw", "Degraw ()", "degraw"),
      ("hanging-tal220", "tal ()", "tal220"),
    ] {
      let points = zip(try calibration.sparseNumbers(calibrated), weights).compactMap { counts, weight in
        counts.map { (weight, $0) }
      }
      let slope = SampleLine(points).slope
      guard slope > 0, slope.isFinite else {
        throw .malformed(file: calibration.file, line: 2, reason: "\(calibrated) does not increase with Weight")
      }
      let grams = try table.numbers(column).map { -$0 / slope }
      series.append(
        LoadSeries(
          name: name, kind: .swinging, times: times, grams: Self.aboveStart(grams), countsPerGram: slope, bits: 24,
          capacity: 5000))
    }
    return series
  }

  /// Subtracts the median of the first ten samples: the empty plate.
  private static func aboveStart(_ grams: [Double]) -> [Double] {
    let empty = grams.prefix(10).sorted().quantile(0.5)
    return grams.map { $0 - empty }
  }
}
