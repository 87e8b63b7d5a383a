import Appliance
import ArgumentParser
import Client
import Configuration
import EventLoop
import Foundation
import Logging
import UnixSignals
import Weighing

/// `watch`
struct Watch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show a running appliance live in the terminal, from any machine.",
    discussion: """
      Connects through the broker and shows the weight in large digits, the state, the current press, the last minute, recent \
      weighings and the health of the appliance. Keys: t tare, T clear tare, z zero, c commit, v twice to void the last weighing, \
      1 to 4 quick actions, q quit.

      If standard output is not a terminal, each change is printed as a plain line. NO_COLOR disables colours. Without a UTF-8 \
      locale, or with --ascii, the output is ASCII only. The exit code is 69 if no broker is available, or the appliance is not \
      found on the broker, within 10 s.

      Examples:
        grampad watch --config scale.yaml
        grampad watch --broker mqtt://scale.local:1883 --device kitchen
        grampad watch | tee weighings.txt
      """)

  @OptionGroup var target: Target
  @Flag(help: "Use ASCII characters only.")
  var ascii = false
  @Flag(help: "Print plain lines, even on a terminal.")
  var plain = false
  @OptionGroup var log: LogOptions

  /// How long to wait for the first connection, and then for the first message of the appliance.
  private static let patience = Interval.seconds(10)

  func run() async throws {
    try await failing {
      let signals = await WatchSignals()
      defer { signals.stop() }
      let line = try target.line(logger: log.logger(default: .critical))
      line.open()
      defer { line.close() }
      let environment = ProcessInfo.processInfo.environment
      let end: WatchSession.End
      if !plain, environment["TERM"] != "dumb", WatchTerminal.isThere {
        let style = style(environment)
        end = await onOwnThread {
          guard let terminal = WatchTerminal() else { return .quit }
          let session = WatchSession(
            line: line, terminal: terminal, style: style, signals: signals, patience: Self.patience)
          return session.run()
        }
      } else {
        end = try await onOwnThread { Result { try printLines(line, signals) } }.get()
      }
      if case .failed(let reason) = end { throw Failure(.unavailable, reason) }
    }
  }

  private func style(_ environment: [String: String]) -> TerminalStyle {
    // The first one that is set and not empty applies. locale(7)
    let locale =
      ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }?.lowercased() ?? ""
    let isUTF8 = locale.contains("utf-8") || locale.contains("utf8")
    // no-color.org: set and not empty.
    return TerminalStyle(isUTF8: isUTF8 && !ascii, hasColour: environment["NO_COLOR"]?.isEmpty != false)
  }

  /// Prints changes until a signal arrives or the reader exits.
  private func printLines(_ line: ScaleLine, _ signals: WatchSignals) throws -> WatchSession.End {
    var lines = WatchLines()
    let begin = Instant.now()
    while true {
      let scale = line.scale
      for text in lines.news(of: scale) {
        do {
          try printAll(text + "\n")
        } catch {
          // `watch | head`
          if errno == EPIPE { return .quit }
          throw error
        }
      }
      if let reason = line.failure(since: begin, at: .now(), patience: Self.patience) { return .failed(reason) }
      var entries = [signals.letter.descriptor, line.news.descriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      _ = poll(&entries, 2, line.isHeard ? -1 : 500)
      line.news.lower()
      if signals.take().contains(where: { $0 != .sigcont && $0 != .sigwinch }) { return .quit }
      signals.letter.lower()
    }
  }

  /// Runs a blocking body on a separate thread instead of on Swift's cooperative pool.
  private func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      OwnThread.start(name: "watch") { continuation.resume(returning: body()) }
    }
  }
}

extension Watch {
  /// The appliance to watch.
  struct Target: ParsableArguments {
    @OptionGroup var options: ConfigurationOptions
    @Option(help: "The broker to connect to, mqtt://HOST:PORT. Default: the configured broker.")
    var broker: String?
    @Option(help: "The device.id of the appliance. Default: the configured device.id.")
    var device: String?

    func validate() throws {
      if let device, device.isEmpty || device.contains(where: { "/+#".contains($0) }) {
        throw ValidationError("--device must be a single topic level, without /, + and #.")
      }
      if let broker { _ = try BrokerArgument.address(broker) }
    }

    func line(logger: Logger) throws -> ScaleLine {
      let file = try options.file()
      var configuration = file?.current ?? Configuration()
      if let device { configuration.device.id = device }
      let brokers = try broker.map { [try BrokerArgument.address($0)] }
      do throws(ClientError) {
        return try ScaleLine(configuration, brokers: brokers, folder: file?.folder ?? ".", logger: logger)
      } catch {
        throw Failure(error)
      }
    }
  }
}
