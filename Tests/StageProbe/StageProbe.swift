import Appliance
import Configuration
import Foundation
import Logging
import Messages
import Recordings
import Weighing

/// Runs the appliance with a scripted simulated pad, for the browser tests.
///
/// `stageprobe PLAY [FOLDER]` prints `dashboard PORT` when the page is available, and runs until it is killed. With a folder, the
/// configuration is a file in it, whose settings can be changed in the page.
///
/// `stageprobe journal FILE COUNT` makes a journal, see `LongJournal`.
@main
enum StageProbe {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "journal", let path = arguments.dropFirst().first,
      let count = arguments.last.flatMap({ Int($0) })
    {
      return try LongJournal.make(path: path, count: count)
    }
    guard let play = arguments.first.flatMap(Play.init) else { exit(64) }
    var options = Appliance.Options()
    options.keepsJournalInMemory = true
    options.embeddedPorts = [0]
    options.dashboardPorts = [0]
    options.simulation.script = play.script
    options.isPadInteractive = [.hands, .settings, .quick, .dosing].contains(play)
    options.onDashboard = { _, port in
      print("dashboard \(port)")
      fflush(nil)
    }
    var configuration = Configuration.demonstration
    configuration.device.name =
      play == .long ? "The kitchen scale in the roastery on the second floor" : "Kitchen scale"
    if play == .nopad { configuration.pad.device = .input(.path("/dev/input/no-such-pad")) }
    if [.scrub, .fader].contains(play), let lamp = ControlName("lamp") {
      configuration.pad.zones = [.init(.history, .init(x: 0...0.15, y: 0...0.6))]
      configuration.pad.controls = [.init(.control(lamp), .init(x: 0...0.15, y: 0.6...1))]
    }
    if play == .guardedEmpty { configuration.pad.zones = [] }
    if [.guarded, .guardedEmpty, .machine].contains(play) { setenv("GRAMPAD_DASHBOARD_TOKEN", "0123456789abcdef", 1) }
    if play == .dosing, let grinder = OutputName("grinder") {
      configuration.outputs = [OutputSwitch(output: Output(name: grinder), topic: "plug/grinder/set")]
      // Requests that wait for a load at rest wait until they expire.
      configuration.confirm.settle = .seconds(30)
    }
    if play == .ounces { configuration.scale.unit = .ounce }
    if [.still, .history].contains(play) { configuration.publish.heartbeat = .seconds(1) }
    configuration.actions = [
      QuickAction(
        type: "beans", title: "Beans", subtitle: "for the grinder",
        userInfo: [.init(name: "label", value: .text("beans"))]),
      QuickAction(type: "water", title: "Water", userInfo: [.init(name: "label", value: .text("water"))]),
    ]
    if play == .quick { configuration.actions = quickActions }
    var logger = Logger(label: "stage", factory: { StreamLogHandler.standardError(label: $0) })
    logger.logLevel = .warning
    do {
      let appliance: Appliance
      if let folder = arguments.dropFirst().first {
        if play == .machine {
          options.machine = MachineFiles(folder: folder + "/machine", runtimeFolder: folder + "/run")
        }
        if play == .history {
          options.keepsJournalInMemory = false
          try PreparedJournal.make(path: folder + "/grampad.db")
        }
        let path = folder + "/grampad.yaml"
        try configuration.resolvedYAML().write(toFile: path, atomically: true, encoding: .utf8)
        appliance = Appliance(file: try ConfigurationFile(path: path), options: options, logger: logger)
      } else {
        appliance = Appliance(configuration, options: options, logger: logger)
      }
      try appliance.runUntilSignal()
    } catch {
      logger.error("ended", metadata: ["reason": "\(error)"])
      exit(70)
    }
  }
}

/// Quick actions, of which only the last two need a weighing.
private let quickActions = [
  QuickAction(type: "brew", title: "Brew", run: .timer, userInfo: [.init(name: "do", value: .text("start"))]),
  QuickAction(type: "jar", title: "Jar", run: .tare, userInfo: [.init(name: "tare_g", value: .number(30))]),
  QuickAction(type: "undo", title: "Undo", run: .void),
  QuickAction(type: "spoilt", title: "Spoilt", run: .relabel, userInfo: [.init(name: "label", value: .text("spoilt"))]),
]

/// The script of the pad.
enum Play: String {
  /// Everything that the page can show, for some seconds each.
  case show
  /// A load that changes continuously, so that ten readings per second are published.
  case busy
  /// 84 g at rest, with a heartbeat of one second.
  case still
  /// 84 g at rest, and a journal with weighings of several days; needs a folder.
  case history
  /// 84 g at rest; actions need the token `0123456789abcdef`.
  case guarded
  /// An empty pad without zones, with the token of `guarded`.
  case guardedEmpty
  /// 84 g at rest on a machine that the page sets up; needs a folder with `machine`, where a test plays root, and `run`. Actions need the
  /// token of `guarded`.
  case machine
  /// 84 g at rest, displayed in ounces.
  case ounces
  /// 84 g at rest, until the pad is moved in the page.
  case hands
  /// As `hands`, with settings that can be changed.
  case settings
  /// An empty pad that is moved in the page, and quick actions that run others than `commit`.
  case quick
  /// 20 g at rest, then 6 g/s for most of a minute, until the pad is moved in the page; and an output that doses switch.
  case dosing
  /// No pad.
  case nopad
  /// An empty pad.
  case empty
  /// More than the capacity.
  case overload
  /// 188 g, tared, from which 75 g are removed; with a long name.
  case long
  /// 84 g at rest and repeated presses in the commit zone: five seconds with full force, then five seconds slid up.
  case pressed
  /// A finger that presses the commit zone harder and harder for three seconds, again and again.
  case rising
  /// 84 g at rest, and a finger that scrubs through the weighings and recalls the oldest of three, again and again.
  case scrub
  /// A finger on the control `lamp`, again and again.
  case fader

  var script: LoadScript {
    switch self {
    case .scrub: Self.scrubScript
    case .fader: Self.faderScript
    case .rising: Self.risingScript
    case .show: Self.showScript
    case .busy: Self.busyScript
    case .still, .ounces, .history, .guarded, .machine, .hands, .settings: Self.placing(84)
    case .dosing: Self.dosingScript
    case .nopad, .empty, .guardedEmpty, .quick: LoadScript()
    case .overload: Self.placing(410)
    case .long: Self.negativeScript
    case .pressed: Self.pressedScript
    }
  }

  private static func placing(_ grams: Double) -> LoadScript {
    var script = LoadScript()
    script.place(Grams(grams), at: .seconds(0.5))
    return script
  }

  private static var negativeScript: LoadScript {
    var script = LoadScript()
    let jar = script.place(Grams(188), at: .seconds(0.5))
    script.confirm(at: .seconds(2.5), x: 0.07)
    script.add(Grams(-75), to: jar, at: .seconds(5))
    return script
  }

  private static var pressedScript: LoadScript {
    var script = LoadScript(repeatingEvery: .seconds(16))
    let cup = script.place(Grams(84), at: .seconds(0.3))
    script.press(
      at: .seconds(2), position: Position(x: 0.93, y: 0.7),
      profile: [(over: .milliseconds(300), force: Grams(195))] + pressing(195, for: 9.4)
        + [(over: .milliseconds(80), force: .zero)],
      slide: [
        (after: .seconds(5), position: Position(x: 0.93, y: 0.7)),
        (after: .seconds(5.3), position: Position(x: 0.93, y: 0.35)),
      ])
    script.remove(cup, at: .seconds(15))
    return script
  }

  private static var scrubScript: LoadScript {
    var script = LoadScript(repeatingEvery: .seconds(45))
    let cup = script.place(Grams(84), at: .seconds(0.5))
    // 173 g are a full press: 0.3 of it is the newest weighing, 0.6 the sixth or the oldest.
    script.press(
      at: .seconds(15), position: Position(x: 0.07, y: 0.5),
      profile: [(over: .milliseconds(300), force: Grams(52))] + pressing(50, for: 5, by: 3)
        + [(over: .milliseconds(300), force: Grams(104))] + pressing(104, for: 5, by: 3)
        + [(over: .milliseconds(80), force: .zero)],
      slide: [
        (after: .seconds(9.6), position: Position(x: 0.07, y: 0.5)),
        (after: .seconds(9.9), position: Position(x: 0.07, y: 0.15)),
      ])
    script.remove(cup, at: .seconds(43))
    return script
  }

  private static var faderScript: LoadScript {
    var script = LoadScript(repeatingEvery: .seconds(8))
    script.press(
      at: .seconds(2), position: Position(x: 0.07, y: 0.8),
      profile: [(over: .seconds(1), force: Grams(90))] + pressing(90, for: 3)
        + [(over: .milliseconds(500), force: .zero)])
    return script
  }

  private static var risingScript: LoadScript {
    var script = LoadScript(repeatingEvery: .seconds(5))
    script.press(
      at: .seconds(1), position: Position(x: 0.93, y: 0.7),
      profile: [(over: .seconds(3), force: Grams(150)), (over: .milliseconds(80), force: .zero)])
    return script
  }

  /// Returns a force that varies like that of a finger. A constant force counts as an object.
  private static func pressing(_ grams: Double, for seconds: Double, by variation: Double = 10) -> [(
    over: Interval, force: Grams
  )] {
    (0..<Int(seconds / 0.2)).map { (over: .milliseconds(200), force: Grams(grams + ($0 % 2 == 0 ? variation : 0))) }
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
    // Half the force for three seconds, full force for two, slid up for three: shorter than confirm.timeout_ms.
    script.press(
      at: .seconds(24), position: Position(x: commit, y: 0.7),
      profile: [
        (over: .milliseconds(450), force: Grams(87)), (over: .seconds(2.6), force: Grams(87)),
        (over: .milliseconds(300), force: Grams(195)),
      ] + pressing(195, for: 5.8) + [(over: .milliseconds(80), force: .zero)],
      slide: [
        (after: .seconds(5.6), position: Position(x: commit, y: 0.7)),
        (after: .seconds(6.1), position: Position(x: commit, y: 0.35)),
      ])
    script.remove(cup, at: .seconds(39))
    let brick = script.place(Grams(410), at: .seconds(40.5), speed: 0.03)
    script.remove(brick, at: .seconds(44.5))
    script.place(Grams(150), at: .seconds(46))
    return script
  }

  private static var dosingScript: LoadScript {
    var script = LoadScript(repeatingEvery: .seconds(60))
    let cup = script.place(Grams(20), at: .seconds(0.5))
    script.drip(6, into: cup, at: .seconds(4), for: .seconds(55))
    script.remove(cup, at: .seconds(59))
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
