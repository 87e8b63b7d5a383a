import Appliance
import ArgumentParser
import Calibrating
import Configuration
import EventLoop
import Messages
import Weighing

/// `calibrate self-test`
struct CalibrateSelfTest: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "self-test", abstract: "Tests repeatability, zero return and creep, and writes a certificate.",
    discussion: """
      Has one mass put on and taken off several times, then left there. Any steady mass will do, about half of the \
      capacity; it need not be known well. Ends with 0 when all limits are kept, 1 when one is not.

      Examples:
        grampad calibrate self-test 200 --config scale.yaml
        grampad calibrate self-test 200 --times 10 --creep 1800 --conditions "21 C" -o certificate.txt
      """)
  @Argument(help: "The mass in grams.")
  var mass: Double
  @Option(help: "How often it is put on, 2...100.")
  var times = 5
  @Option(help: "How many seconds it is looked at for creep, 1...86400.")
  var creep = 60.0
  @Option(help: "What else the certificate says of the circumstances: temperature, place, who.")
  var conditions: String?
  @Option(
    name: [.customShort("o"), .long], help: "The certificate's file; standard output unless given.",
    completion: .file(extensions: ["txt"]))
  var output: String?
  @OptionGroup var pad: CalibratePad

  func validate() throws {
    if !(mass > 0 && mass <= 100_000) { throw ValidationError("MASS has to be above 0, up to 100000 grams.") }
    if !(2...100).contains(times) { throw ValidationError("--times has to be 2...100.") }
    if !(creep >= 1 && creep <= 86_400) { throw ValidationError("--creep has to be 1...86400 seconds.") }
  }

  func run() async throws {
    try await failing {
      let configuration = try pad.options.file()?.current ?? Configuration()
      let feed = try pad.open(configuration)
      let test = try perform(feed, Division(configuration.scale.division) ?? .gram)
      guard let identity = feed.pad, let calibration = feed.calibration else {
        throw Failure(.noInput, "the pad is gone")
      }
      let certificate = Certificate(
        test, of: Grams(mass), on: identity, path: feed.path, origin: calibration.origin, configuration: configuration,
        date: WallClock.recorded.text(.wallClock()), conditions: conditions)
      try writeText(certificate.text, to: output ?? "-")
      if !test.passes {
        complain("self-test failed")
        throw ExitCode(1)
      }
    }
  }

  private func perform(_ feed: PadFeed, _ division: Division) throws -> SelfTest {
    var test = SelfTest(limits: SelfTest.Limits(division: division))
    var hands = PadOperator(feed)
    var last: LoadRest?
    func grams(_ rest: LoadRest) -> Grams { feed.calibration?.mass(atCounts: rest.counts) ?? .zero }
    for round in 1...times {
      say("\(round) of \(times)")
      let zero = try hands.empty(after: last)
      let load = try hands.load(Grams(mass))
      test.zeros.append(grams(zero))
      test.loads.append(grams(load) - grams(zero))
      last = load
    }
    guard let first = last else { return test }
    say("Leave it there for \(DecimalText.fixed(creep, decimals: 0)) s.")
    try watch(feed, from: first, &test, grams)
    test.zeros.append(grams(try hands.empty(after: last)))
    return test
  }

  /// One look about every second, for creep.
  private func watch(
    _ feed: PadFeed, from first: LoadRest, _ test: inout SelfTest, _ grams: (LoadRest) -> Grams
  ) throws {
    let bar = ProgressBar()
    defer { bar.clear() }
    var samples: [SelfTest.Sample] = [.init(after: .zero, mass: grams(first))]
    do throws(PadFeedFault) {
      try feed.look(for: .seconds(creep)) { rest in
        let after = rest.end - first.end
        bar.show(after.seconds / creep, "\(Int(after.seconds)) of \(Int(creep)) s")
        let previous = samples.last?.after ?? .zero
        if after >= previous + .seconds(1) { samples.append(.init(after: after, mass: grams(rest))) }
      }
    } catch {
      throw Failure(error)
    }
    test.creep = samples
  }
}
