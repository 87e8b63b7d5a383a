import ArgumentParser
import Client
import Commands
import Foundation
import Glibc
import Languages
import Linux
import Logging
import SystemPackage
import Terminal
import Weighing

/// `watch`
struct Watch: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show a running appliance live in the terminal, from any machine.",
    discussion: """
      Connects through the broker and shows the weight in large digits, the state, the current press, the last minute, recent \
      weighings and the health of the appliance. A target, the flow, the timer, pieces and the container are shown while they \
      are in use. Keys: t tare, T clear tare, z zero, c commit, v twice to void the last weighing, s stop a dose, \
      1 to 4 quick actions, q quit.

      If standard output is not a terminal, each change is printed as a plain line. NO_COLOR disables colours. Without a UTF-8 \
      locale, or with --ascii, the output is ASCII only. The exit code is 69 if no broker is available, or the appliance is not \
      found on the broker, within 10 s.

      Examples:
        grampad watch --config scale.yaml
        grampad watch --broker mqtt://scale.local:1883 --device kitchen
        grampad watch | tee weighings.txt
      """)

  @OptionGroup var appliance: ConnectionOptions
  @Flag(help: "Use ASCII characters only.")
  var ascii = false
  @Flag(help: "Print plain lines, even on a terminal.")
  var plain = false
  @OptionGroup var log: LogOptions

  /// How long to wait for the first connection, and then for the first message of the appliance.
  private static let patience = Interval.seconds(10)

  func run() throws {
    try failing {
      let signals = SignalQueue()
      let handler = SignalHandler([SIGTERM, SIGINT, SIGHUP, SIGWINCH, SIGCONT]) { signals.append(SessionSignal($0)) }
      defer { handler.cancel() }
      let environment = ProcessInfo.processInfo.environment
      let style = style(environment)
      // ASCII has none of the letters of other languages.
      let texts = style.isUTF8 || plain || !FullScreenTerminal.isAvailable() ? Texts.ofUser : .english
      let client = try client(texts, logger: log.logger(default: .critical))
      client.connect()
      defer { client.disconnect() }
      let session = WatchSession(client, signals: signals, patience: Self.patience)
      let end: WatchSession.End
      if !plain, environment["TERM"] != "dumb", let terminal = FullScreenTerminal() {
        end = session.run(on: terminal, style: style)
      } else {
        end = try session.printChanges(Self.printLine)
      }
      if case .failed(let reason) = end { throw Failure(.unavailable, reason) }
    }
  }

  private func client(_ texts: Texts, logger: Logger) throws -> ScaleClient {
    let (configuration, brokers, folder) = try appliance.resolved()
    return try ScaleClient(configuration, brokers: brokers, folder: folder, texts: texts, logger: logger)
  }

  private func style(_ environment: [String: String]) -> TerminalStyle {
    // The first one that is set and not empty applies. locale(7)
    let locale =
      ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }?.lowercased() ?? ""
    let isUTF8 = locale.contains("utf-8") || locale.contains("utf8")
    // no-color.org: set and not empty.
    return TerminalStyle(isUTF8: isUTF8 && !ascii, hasColour: environment["NO_COLOR"]?.isEmpty != false)
  }

  /// Prints a line; returns whether the reader is still there (`watch | head`).
  @Sendable private static func printLine(_ line: String) throws -> Bool {
    do {
      try FileDescriptor.standardOutput.writeAll(line.utf8)
      return true
    } catch Errno.brokenPipe {
      return false
    } catch {
      throw Failure(writing: "standard output", Errno(error))
    }
  }
}

extension SessionSignal {
  fileprivate init(_ signal: Int32) {
    switch signal {
    case SIGCONT: self = .resume
    case SIGWINCH: self = .resize
    default: self = .end
    }
  }
}
