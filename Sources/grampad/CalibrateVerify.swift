import Appliance
import ArgumentParser
import Calibrating
import Configuration
import Messages
import Weighing

/// `calibrate verify`
struct CalibrateVerify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Weigh a known mass and show the error of the calibration.",
    discussion: """
      Waits until the mass is stable on the pad. The exit code is 0 if the error is within the tolerance, otherwise 1.

      Examples:
        grampad calibrate verify 100 --config scale.yaml
        grampad calibrate verify 100 --tolerance 0.5 --json
      """)
  @Argument(help: "The mass in grams.")
  var mass: Double
  @Option(help: "Maximum permitted error in grams. Default: one division.")
  var tolerance: Double?
  @Flag(help: "Print a JSON object.")
  var json = false
  @OptionGroup var pad: CalibratePad

  func validate() throws {
    if !(mass > 0 && mass <= 100_000) { throw ValidationError("MASS must be greater than 0 and at most 100000 grams.") }
    if let tolerance, !(tolerance >= 0 && tolerance.isFinite) {
      throw ValidationError("--tolerance must be 0 or more.")
    }
  }

  func run() async throws {
    try await failing {
      let configuration = try pad.options.file()?.current ?? Configuration()
      let feed = try pad.open(configuration)
      var operatorOfPad = PadOperator(feed)
      let nothing = try operatorOfPad.nothing(onPlate: configuration.pad.surface == .platter)
      let rest = try operatorOfPad.load(Grams(mass))
      guard let calibration = feed.calibration else { throw Failure(.noInput, "the pad was disconnected") }
      let zero = configuration.pad.surface == .platter ? calibration.mass(atCounts: nothing.counts) : .zero
      let found = calibration.mass(atCounts: rest.counts) - zero
      try report(found, calibration, configuration.scale.division)
    }
  }

  private func report(_ found: Grams, _ calibration: Calibration, _ division: Grams) throws {
    let error = found.value - mass
    let divisions = error / division.value
    let isRight = error.magnitude <= (tolerance ?? division.value)
    func fixed(_ number: Double) -> String { DecimalText.fixed(number, decimals: 2) }
    if json {
      var json = JSONWriter()
      json.object { json in
        for (key, value) in [
          ("mass_g", mass), ("reads_g", found.value), ("error_g", error), ("error_divisions", divisions),
        ] {
          json.key(key)
          json.number(value, decimals: 3)
        }
        json.key("calibration")
        json.string(calibration.origin.rawValue)
        json.key("ok")
        json.boolean(isRight)
      }
      try printAll(String(decoding: json.bytes, as: UTF8.self) + "\n")
    } else {
      let sign = error < 0 ? "" : "+"
      try printAll(
        """
        \(fixed(mass)) g reads \(fixed(found.value)) g: error \(sign)\(fixed(error)) g, \(sign)\(fixed(divisions)) divisions \
        (calibration: \(calibration.origin.rawValue))

        """)
    }
    if !isRight {
      complain("the error exceeds \(fixed(tolerance ?? division.value)) g; calibrate again")
      throw ExitCode(1)
    }
  }
}

/// Asks the user to load and unload the pad, and waits until that is done.
struct PadOperator {
  private let feed: PadFeed
  private var nothing = LoadRest(counts: 0)
  /// Longer than in the guide, because there is no key to press when the load is ready.
  private static let patience = Interval.seconds(120)

  /// Makes an operator of a pad.
  init(_ feed: PadFeed) {
    self.feed = feed
  }

  /// Waits until the pad is empty. Returns immediately if there is no platter, whose load would have to be known.
  mutating func nothing(onPlate: Bool) throws -> LoadRest {
    if onPlate { nothing = try empty(after: nil) }
    return nothing
  }

  /// Asks the user to empty the pad, and waits until the reading is stable.
  mutating func empty(after load: LoadRest?) throws -> LoadRest {
    say("Take everything off the pad.")
    nothing = try rest(unlike: load.map { [$0] } ?? [])
    return nothing
  }

  /// Asks for a mass, and waits until its reading is stable.
  func load(_ mass: Grams) throws -> LoadRest {
    say("Put \(DecimalText.fixed(mass.value, decimals: 1)) g on the pad.")
    let load = try rest(unlike: [nothing])
    guard !load.isAtMaximum else { throw Failure(.badData, "the load is above the range of the pad") }
    return load
  }

  private func rest(unlike before: [LoadRest]) throws -> LoadRest {
    switch try feed.measure(unlike: before, patience: Self.patience) {
    case .rest(let rest): return rest
    case .unchanged:
      throw Failure(.badData, "the load did not change within \(Int(Self.patience.seconds)) s; start again")
    case .restless:
      throw Failure(
        .badData, "unstable: the load did not come to rest within \(Int(Self.patience.seconds)) s; keep the table still"
      )
    }
  }
}
