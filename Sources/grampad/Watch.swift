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
    abstract: "Shows a running appliance live in the terminal, from any machine.",
    discussion: """
      Big digits, the state, the press, the last minute, recent weighings and the health of an appliance, through its \
      broker. Keys ask for actions: t tares, T clears the tare, z zeroes, c commits, v twice voids the last weighing, 1...4 \
      are the quick actions, q ends.

      Where standard output is no terminal, what changes is printed as plain lines. NO_COLOR turns colours off; without a UTF-8 \
      locale, or with --ascii, only ASCII is used. Exits with 69 when no broker can be reached, or no appliance is found there, \
      within 10 s.

      Examples:
        grampad watch --config scale.yaml
        grampad watch --broker mqtt://scale.local:1883 --device kitchen
        grampad watch | tee weighings.txt
      """)

  @OptionGroup var target: Target
  @Flag(help: "Draw with ASCII only.")
  var ascii = false
  @Flag(help: "Print plain lines in a terminal, too.")
  var plain = false
  @OptionGroup var log: LogOptions

  /// How long to wait for a first connection, and then for a first message of the appliance.
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
    // The first that is set and not empty counts. locale(7)
    let locale =
      ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }?.lowercased() ?? ""
    let isUTF8 = locale.contains("utf-8") || locale.contains("utf8")
    // no-color.org: set and not empty.
    return TerminalStyle(isUTF8: isUTF8 && !ascii, hasColour: environment["NO_COLOR"]?.isEmpty != false)
  }

  /// Prints what changes until a signal comes or nobody reads any more.
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

  /// Runs what waits on a thread of its own, not on one of Swift's few.
  private func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      OwnThread.start(name: "watch") { continuation.resume(returning: body()) }
    }
  }
}

extension Watch {
  /// Which appliance.
  struct Target: ParsableArguments {
    @OptionGroup var options: ConfigurationOptions
    @Option(help: "The broker, mqtt://HOST:PORT, instead of that of the configuration.")
    var broker: String?
    @Option(help: "The device.id of the appliance, instead of that of the configuration.")
    var device: String?

    func validate() throws {
      if let device, device.isEmpty || device.contains(where: { "/+#".contains($0) }) {
        throw ValidationError("--device is one level of a topic, without /, + and #.")
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
