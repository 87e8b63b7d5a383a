import ArgumentParser

/// `grampad-bench real`.
struct Real: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs recordings of real load cells through Grampad, other filters and the recorded scale's own.",
    discussion: RealDefinitions.text)

  /// A recording, or the synthetic series.
  enum Selection: Hashable, ExpressibleByArgument {
    case recording(RecordingFolder.Name)
    case synthetic

    init?(argument: String) {
      if argument == "synthetic" {
        self = .synthetic
      } else if let name = RecordingFolder.Name(rawValue: argument) {
        self = .recording(name)
      } else {
        return nil
      }
    }

    static var allValueStrings: [String] { RecordingFolder.Name.allCases.map(\.rawValue) + ["synthetic"] }
  }

  @Option(help: ArgumentHelp("A folder with recordings. Without it only synthetic series run.", valueName: "folder"))
  var data: String?
  @Option(
    help: ArgumentHelp(
      "Use only this recording, or only synthetic series; repeatable: \(Selection.allValueStrings.joined(separator: ", ")).",
      valueName: "name"))
  var file: [Selection] = []
  @Option(
    help: ArgumentHelp(
      "Division in g, motion_g and time_ms, as in 0.1/0.2/300, for all recordings; repeatable. By default each has its own.",
      valueName: "d/m/t"))
  var setting: [CellSetting] = []
  @Option(
    help: "How samples arrive: as from a converter, as in a recording of it, or as from evdev without repeated values.")
  var delivery = BenchCell.Delivery.converter
  @Option(
    help: ArgumentHelp(
      "Run the recordings on a converter with a range of 2 to this power. By default 23, and 24 for hanging loads.",
      valueName: "n"))
  var bits: Int?
  @Option(help: "Number of trials of each synthetic series at up to 50 samples/s; fewer at higher rates.")
  var trials = 20
  @Option(help: "Random seed of the synthetic series. The same seed gives the same figures.")
  var seed: UInt64 = 1
  @OptionGroup var output: ReportOptions

  func validate() throws {
    guard bits.map(RangeBench.bits.contains) ?? true else {
      throw ValidationError("--bits must be from \(RangeBench.bits.lowerBound) to \(RangeBench.bits.upperBound)")
    }
    guard trials > 0 else { throw ValidationError("--trials must be at least 1") }
    guard data != nil || recordings.isEmpty || file.isEmpty else {
      throw ValidationError("--file \(recordings[0].rawValue) needs --data FOLDER with \(recordings[0].file)")
    }
  }

  func run() throws {
    var report = Report.begin()
    do {
      if let data { report.figures = try figures(of: RecordingFolder(data)) }
    } catch let error as RealDataError {
      printProgress("Error: \(error)")
      throw ExitCode(error.status)
    }
    if file.isEmpty || file.contains(.synthetic) {
      report.figures += try SyntheticBench(delivery: delivery, trials: trials, seed: seed).figures()
    }
    report.sources = Dictionary(uniqueKeysWithValues: BenchFilterName.allCases.map { ($0.rawValue, $0.source) })
    try output.write(report, tables: RealTables(figures: report.figures).all)
  }

  /// The chosen recordings.
  private var recordings: [RecordingFolder.Name] {
    RecordingFolder.Name.allCases.filter { file.isEmpty || file.contains(.recording($0)) }
  }

  private func figures(of folder: RecordingFolder) throws -> [Figure] {
    let missing = recordings.filter { !folder.has($0) }
    guard missing.isEmpty || (file.isEmpty && missing != recordings) else {
      throw RealDataError.noRecordings(folder: folder.path, wanted: missing.map(\.file))
    }
    for name in missing { printProgress("\(name.file): not in \(folder.path), skipped") }
    var tuning: PeerTuning?
    if folder.has(.brew), !recordings.isEmpty {
      tuning = try folder.series(.brew).first.map {
        PeerTuning(to: PlacementTruth($0), tolerance: CellSetting.tenths.motion)
      }
    }
    var figures: [Figure] = []
    for name in recordings where folder.has(name) {
      for series in try folder.series(name) {
        for setting in setting.isEmpty ? name.settings : setting {
          figures += try SeriesBench(series: series, setting: setting, delivery: delivery, bits: bits, tuning: tuning)
            .figures()
        }
        guard name == .brew || name == .coldstart else { continue }
        for setting in setting.isEmpty ? [.tenths, .standard] : setting {
          figures += try RangeBench(series: series, setting: setting, delivery: delivery).figures()
        }
      }
    }
    return figures
  }
}

extension RecordingFolder.Name {
  /// The settings with which a recording runs by default.
  fileprivate var settings: [CellSetting] {
    switch self {
    case .brew: [.hundredths, .tenths, .standard]
    case .coldstart, .startup: [.tenths, .half, .standard]
    case .shotReal, .shotNegative, .hanging: [.tenths, .standard]
    }
  }
}

extension BenchCell.Delivery: ExpressibleByArgument {}
