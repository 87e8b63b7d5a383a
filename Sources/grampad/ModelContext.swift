import ArgumentParser
import Client
import Commands
import Configuration
import Glibc
import Journal
import Linux
import Logging
import Messages
import SystemPackage
import Weighing

/// `mcp`
struct ModelContext: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp", abstract: "Serve a running appliance to a language model, over the Model Context Protocol.",
    discussion: """
      Speaks the Model Context Protocol on standard input and output until the end of the input. A program with a language \
      model starts this command and offers its tools to the model: read_scale, tare, commit, list_weighings, clear_tare, zero, \
      relabel, void, timer, target, dose, stop_dose, count, list_containers, store_container and remove_container. Tools that \
      replace or revoke something, or set something in motion, are marked as destructive.

      The command connects to the appliance through the broker, and reconnects if the connection is lost. list_weighings reads \
      the journal if it is on this machine; otherwise it knows the last weighing and those recorded since the start. With \
      --broker or --device it reads the journal only if --journal names it.

      Examples:
        grampad mcp --config scale.yaml
        grampad mcp --broker mqtt://scale.local:1883 --device kitchen
      """)

  @OptionGroup var appliance: ConnectionOptions
  @Option(help: "The SQLite file of the journal. Default: the configured journal.", completion: .journal)
  var journal: String?
  @OptionGroup var log: LogOptions

  func run() throws {
    try failing {
      let (configuration, brokers, folder) = try appliance.resolved()
      let logger = log.logger(default: .error)
      let patience = max(.seconds(5), configuration.confirm.settle + .seconds(3))
      let observer = try ScaleObserver(configuration, brokers: brokers, folder: folder, logger: logger)
      let path = journal ?? (!appliance.isGiven ? configuration.journalPath(in: folder) : nil)
      let weighings = WeighingSource(
        read: { (body) throws(ToolFailure) in try Self.readWeighings(journal: path, observer, logger: logger, body) },
        time: { PointInTime($0, now: .wallClock()).map { WallClock.recorded.text($0.instant) } })
      let tools = ScaleTools(observer, weighings: weighings) {
        (name, label, weighing, parameters) throws(ClientError) in
        let call = try CommandCall(
          name, label: label, reference: weighing, parameters: parameters, configuration, brokers: brokers,
          folder: folder, patience: patience)
        return try call.run(logger: logger)
      }
      observer.connect()
      defer { observer.disconnect() }
      let session = ModelContextSession(input: .standardInput, output: .standardOutput)
      do throws(Errno) {
        try session.run(ScaleTools.description, tools: tools.all, interrupt: { observer.changes.raise() })
      } catch {
        throw Failure(.inputOutput, "standard input or output: \(error)")
      }
    }
  }

  /// Reads the weighings in the journal, or those that were published if there is no journal on this machine.
  private static func readWeighings(
    journal path: String?, _ observer: ScaleObserver, logger: Logger, _ body: (ListedWeighing) -> Void
  ) throws(ToolFailure) -> Bool {
    guard let path, FileSystem.exists(path) else {
      for weighing in observer.weighings {
        body(
          ListedWeighing(
            id: weighing.id, sequence: weighing.sequence, time: weighing.time, net: weighing.net.map { Grams($0) },
            label: weighing.label, isVoided: weighing.isVoided))
      }
      return false
    }
    do throws(JournalError) {
      let journal = Journal.reader(path: path, logger: logger)
      try journal.withHistory(WeighingSelection(), weighingsOnly: true) { snapshot in
        try snapshot.forEach { entry in
          body(
            ListedWeighing(
              id: entry.record.id.description, sequence: entry.record.sequence,
              time: WallClock.recorded.text(entry.record.time), net: entry.record.measurement.net.mass,
              label: entry.label, isVoided: entry.voidedBy != nil))
        }
      }
      return true
    } catch {
      throw ToolFailure(error.description)
    }
  }
}
