import Appliance
import Glibc
import Logging
import Recordings
import Weighing

/// The whole appliance as a process of its own, on whose simulated pad a play is given; for the tests with a browser.
///
/// `stageprobe PLAY` prints `dashboard PORT` when the page is there. It stays until it is killed.
@main
enum StageProbe {
  static func main() async throws {
    guard let play = CommandLine.arguments.dropFirst().first.flatMap(Play.init) else { exit(64) }
    var options = Appliance.Options()
    options.keepsJournalInMemory = true
    options.embeddedPorts = [0]
    options.dashboardPorts = [0]
    options.simulation.script = play.script
    options.onDashboard = { _, port in
      print("dashboard \(port)")
      fflush(nil)
    }
    var configuration = Configuration.demonstration
    configuration.device.name = "Kitchen scale"
    configuration.actions = [
      QuickAction(
        type: "beans", title: "Beans", subtitle: "for the grinder",
        userInfo: [.init(name: "label", value: .text("beans"))]),
      QuickAction(type: "water", title: "Water", userInfo: [.init(name: "label", value: .text("water"))]),
    ]
    var logger = Logger(label: "stage", factory: { StreamLogHandler.standardError(label: $0) })
    logger.logLevel = .warning
    do {
      try await Appliance(configuration, options: options, logger: logger).run()
    } catch {
      logger.error("ended", metadata: ["reason": "\(error)"])
      exit(70)
    }
  }
}

/// What happens on the pad.
enum Play: String {
  /// Everything the page can show, each for some seconds.
  case show
  /// A load that changes for ever, so that ten readings a second are published.
  case busy

  var script: LoadScript {
    switch self {
    case .show: Self.showScript
    case .busy: Self.busyScript
    }
  }

  private static var showScript: LoadScript {
    var script = LoadScript()
    let (tare, commit) = (0.07, 0.93)
    let flour = script.place(Grams(100), at: .seconds(4))
    script.confirm(at: .seconds(6), x: commit)
    script.remove(flour, at: .seconds(8.5))
    let cup = script.place(Grams(84), at: .seconds(10), speed: 0.04)
    script.confirm(at: .seconds(11.6), x: tare)
    script.drip(6, into: cup, at: .seconds(14), for: .seconds(8))
    // Half the force for four seconds, all of it for four, slid up for four.
    script.press(
      at: .seconds(24), position: Position(x: commit, y: 0.7),
      profile: [
        (over: .milliseconds(450), force: Grams(87)), (over: .seconds(4), force: Grams(87)),
        (over: .milliseconds(300), force: Grams(195)), (over: .seconds(8), force: Grams(195)),
        (over: .milliseconds(80), force: .zero),
      ],
      slide: [
        (after: .seconds(8.5), position: Position(x: commit, y: 0.7)),
        (after: .seconds(9), position: Position(x: commit, y: 0.35)),
      ])
    script.remove(cup, at: .seconds(39))
    let brick = script.place(Grams(410), at: .seconds(40.5), speed: 0.03)
    script.remove(brick, at: .seconds(44.5))
    script.place(Grams(150), at: .seconds(46))
    return script
  }

  private static var busyScript: LoadScript {
    var script = LoadScript(repeatingEvery: .seconds(30))
    let jug = script.place(Grams(20), at: .seconds(0.5))
    script.drip(12, into: jug, at: .seconds(1), for: .seconds(28))
    script.remove(jug, at: .seconds(29.2))
    return script
  }
}
