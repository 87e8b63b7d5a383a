import Appliance
import ArgumentParser
import Configuration
import EventLoop
import Glibc
import Messages

/// The root command.
struct Grampad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grampad",
    abstract: "Turn a force-sensing pad into a weighing scale on MQTT.",
    discussion: """
      Examples:
        grampad demo                      run the whole scale with a simulated pad
        grampad devices                   list the input devices that can weigh
        grampad diagnose                  test the pad and get advice
        grampad check scale.yaml          validate a configuration
        grampad run -c scale.yaml         run the scale
        grampad watch -c scale.yaml       watch a running scale in the terminal
        grampad calibrate -c scale.yaml   calibrate with known masses
        grampad tare -c scale.yaml        tare a running scale
        grampad mcp -c scale.yaml         serve the scale to a language model
        grampad history -c scale.yaml     show the recorded weighings
        grampad outbox -c scale.yaml      show the weighings still to be delivered
        grampad collect --help            store the weighings of many scales in PostgreSQL
        grampad fleet --help              show the scales in that database
        grampad enroll --help             get a certificate for this device
        grampad backup /media/stick       back up configuration, calibration and journal
        grampad report                    collect the files for a bug report

      Shell completion: grampad --generate-completion-script bash (or zsh, fish).

      Exit codes: 0 success, 1 rejected or incomplete, 64 usage error, 65 invalid data, 66 no such file or device, 69 broker or database unavailable, \
      70 internal error, 73 cannot create file, 74 input/output error, 77 permission denied, 78 configuration error.
      """,
    version: Version.text,
    subcommands: [
      Demo.self, Run.self, Check.self, Devices.self, Diagnose.self, Calibrate.self, Record.self, ReplayCommand.self,
      Watch.self,
      Tare.self, ClearTare.self, Zero.self, Commit.self, VoidCommand.self, Relabel.self,
      TimerAction.self, ContainerCommand.self, TargetCommand.self, CountCommand.self, ActionCommand.self,
      ModelContext.self, History.self, OutboxCommand.self,
      Simulate.self, Collect.self, FleetCommand.self, Enroll.self,
      BackupCommand.self, RestoreCommand.self, ReportCommand.self,
    ])

  func run() async throws {
    throw ValidationError("No command given.")
  }

  /// Throws a `ValidationError` with a suggestion if `name` is neither a command nor an option.
  static func refuseUnknownCommand(_ name: String) throws {
    let names = configuration.subcommands.map { $0._commandName } + ["help"]
    guard !name.hasPrefix("-"), !names.contains(name) else { return }
    let suggestion = closest(to: name, in: names).map { "; did you mean '\($0)'?" } ?? "."
    throw ValidationError("Unknown command '\(name.escapedForTerminal)'\(suggestion)")
  }
}

/// Parses the command line and runs the command.
@main
enum Program {
  static func main() {
    require(descriptors: 16)
    do {
      if let name = CommandLine.arguments.dropFirst().first { try Grampad.refuseUnknownCommand(name) }
      var command = try Grampad.parseAsRoot()
      if let simulate = command as? Simulate { DescriptorLimit.raise(to: 1024 + 16 * (simulate.pads ?? 0)) }
      require(descriptors: descriptors(for: command))
      guard let lasting = command as? any AsyncParsableCommand else { return try command.run() }
      // These commands run for months, mostly idle.
      let executor: SerialTaskExecutor? = command is Run || command is Demo ? SerialTaskExecutor() : nil
      let ended = Signal()
      // From here on, only the task uses it.
      nonisolated(unsafe) let handedOver = lasting
      Task.detached(executorPreference: executor) {
        var command = handedOver
        do {
          try await command.run()
        } catch {
          exit(with: error)
        }
        ended.raise()
      }
      // The parent process may have blocked signals, and every other thread blocks most of them: receive them on this
      // thread.
      var none = sigset_t()
      sigemptyset(&none)
      pthread_sigmask(SIG_SETMASK, &none, nil)
      // A signal interrupts the wait but must not end the program.
      while !ended.wait(milliseconds: -1) {}
      exit(.success)
    } catch {
      exit(with: error)
    }
  }

  /// The number of file descriptors that a command opens, with a reserve.
  private static func descriptors(for command: any ParsableCommand) -> Int {
    switch command {
    // A running appliance with an embedded broker has 37 open; the rest is for the dashboard and a reserve.
    case is Run, is Demo: 60
    // Also for `simulate`, whose cost per pad is not known in advance: it ends with an error when it reaches the limit.
    default: 28
    }
  }

  /// Ends the program with an error if it cannot open `count` more files. Raises the soft limit first, as far as permitted:
  /// many systems start programs with a low limit intended for select(2).
  private static func require(descriptors count: Int) {
    DescriptorLimit.raise(to: max(count + 8, 1024))
    guard let shortage = DescriptorLimit.shortage(of: count) else { return }
    printMessage(shortage)
    exit(ExitCode(Sysexit.inputOutput.rawValue))
  }

  /// Ends the program as `exit(withError:)` would: prints the message of the error, if any, and exits with its code.
  private static func exit(with error: any Error) -> Never {
    let code = Grampad.exitCode(for: error)
    let text = Grampad.fullMessage(for: error)
    if !text.isEmpty { code.isSuccess ? print(text) : printError(text) }
    exit(code)
  }

  /// Ends the program without running C's exit handlers, such as `OPENSSL_cleanup(3)`: threads may still be running, and a
  /// thread that uses what a handler has freed would crash the program.
  private static func exit(_ code: ExitCode) -> Never {
    fflush(nil)
    _exit(code.rawValue)
  }
}
