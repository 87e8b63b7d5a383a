import Appliance
import ArgumentParser
import Configuration
import EventLoop
import Glibc
import Messages

/// The program: its commands.
struct Grampad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grampad",
    abstract: "Turn a force-sensing pad into a weighing scale on MQTT.",
    discussion: """
      Examples:
        grampad demo                      run the whole scale with a simulated pad
        grampad devices                   list the input devices that can weigh
        grampad check scale.yaml          validate a configuration
        grampad run -c scale.yaml         run the scale
        grampad watch -c scale.yaml       watch a running scale in the terminal
        grampad calibrate -c scale.yaml   calibrate with known masses
        grampad tare -c scale.yaml        tare a running scale
        grampad history -c scale.yaml     show the recorded weighings
        grampad outbox -c scale.yaml      show the weighings still to be delivered
        grampad backup /media/stick       back up configuration, calibration and journal
        grampad report                    collect the files for a bug report

      Shell completion: grampad --generate-completion-script bash (or zsh, fish).

      Exit codes: 0 success, 1 rejected, 64 usage error, 65 invalid data, 66 no such file or device, 69 broker unavailable, \
      70 internal error, 73 cannot create file, 74 input/output error, 77 permission denied, 78 configuration error.
      """,
    version: Version.text,
    subcommands: [
      Demo.self, Run.self, Check.self, Devices.self, Calibrate.self, Record.self, ReplayCommand.self, Watch.self,
      Tare.self, ClearTare.self, Zero.self, Commit.self, VoidCommand.self, Relabel.self, ActionCommand.self,
      History.self, OutboxCommand.self,
      Simulate.self, BackupCommand.self, RestoreCommand.self, ReportCommand.self,
    ])

  func run() async throws {
    throw ValidationError("No command given.")
  }

  /// Throws a `ValidationError` for a word that is no command and no option, with the command that was probably meant.
  static func refuseUnknownCommand(_ name: String) throws {
    let names = configuration.subcommands.map { $0._commandName } + ["help"]
    guard !name.hasPrefix("-"), !names.contains(name) else { return }
    let suggestion = closest(to: name, in: names).map { "; did you mean '\($0)'?" } ?? "."
    throw ValidationError("Unknown command '\(name.escapedForTerminal)'\(suggestion)")
  }
}

/// Runs the command that the words name.
@main
enum Program {
  static func main() {
    require(descriptors: 16)
    do {
      if let name = CommandLine.arguments.dropFirst().first { try Grampad.refuseUnknownCommand(name) }
      var command = try Grampad.parseAsRoot()
      if let simulate = command as? Simulate { DescriptorLimit.raise(to: 1024 + 16 * simulate.pads) }
      require(descriptors: descriptors(for: command))
      guard let lasting = command as? any AsyncParsableCommand else { return try command.run() }
      // These run for months.
      if command is Run || command is Demo { QuietTasks.begin() }
      let ended = Signal()
      // From here on it is the task's alone.
      nonisolated(unsafe) let handedOver = lasting
      Task.detached {
        var command = handedOver
        do {
          try await command.run()
        } catch {
          leave(because: error)
        }
        ended.raise()
      }
      // Who has started the program may have blocked signals, and every other thread of it blocks most: they come here.
      var none = sigset_t()
      sigemptyset(&none)
      pthread_sigmask(SIG_SETMASK, &none, nil)
      // A signal ends the wait, and not the program.
      while !ended.wait(milliseconds: -1) {}
      leave(.success)
    } catch {
      leave(because: error)
    }
  }

  /// How many descriptors a command opens; with some in reserve.
  private static func descriptors(for command: any ParsableCommand) -> Int {
    switch command {
    // A running appliance with an embedded broker has 37 open; the others are for the dashboard and for reserve.
    case is Run, is Demo: 60
    // Also for `simulate`, whose number of pads has no known cost: it ends with a sentence when it reaches the limit.
    default: 28
    }
  }

  /// Ends the program with a sentence where it may not open a number of files more.
  ///
  /// The limit is raised first, as far as its owner may: many systems start a program with a low one that is meant for
  /// select(2).
  private static func require(descriptors count: Int) {
    DescriptorLimit.raise(to: max(count + 8, 1024))
    guard let shortage = DescriptorLimit.shortage(of: count) else { return }
    complain(shortage)
    leave(ExitCode(Sysexit.inputOutput.rawValue))
  }

  /// Ends the program as `exit(withError:)` would: with the words that belong to what was thrown, if any, and its exit code.
  private static func leave(because error: any Error) -> Never {
    let code = Grampad.exitCode(for: error)
    let text = Grampad.fullMessage(for: error)
    if !text.isEmpty { code.isSuccess ? print(text) : tell(text) }
    leave(code)
  }

  /// Ends the program without C's exit handlers, among them `OPENSSL_cleanup(3)`: threads may still be at work, and one that
  /// used what a handler has taken apart would have the program end by a signal.
  private static func leave(_ code: ExitCode) -> Never {
    fflush(nil)
    _exit(code.rawValue)
  }
}
