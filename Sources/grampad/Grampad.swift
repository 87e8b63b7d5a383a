import ArgumentParser
import Commands
import Linux
import Messages

/// The root command.
struct Grampad: ParsableCommand {
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
        grampad clients                   list the phones and apps that may act
        grampad enroll --help             get a certificate for this device
        grampad backup /media/stick       back up configuration, calibration and journal
        grampad report                    collect the files for a bug report

      The package grampad-fleet adds collect and fleet, the weighings of many scales in PostgreSQL; see man grampad-fleet.

      Shell completion: grampad --generate-completion-script bash (or zsh, fish).

      Exit codes: 0 success, 1 rejected or incomplete, 64 usage error, 65 invalid data, 66 no such file or device, 69 broker or database unavailable, \
      70 internal error, 73 cannot create file, 74 input/output error, 77 permission denied, 78 configuration error.
      """,
    version: Version.text,
    groupedSubcommands: [
      CommandGroup(
        name: "Service",
        subcommands: [Demo.self, Run.self, Check.self, ClientsCommand.self, Enroll.self, Simulate.self]),
      CommandGroup(
        name: "Pad",
        subcommands: [Devices.self, Diagnose.self, Calibrate.self, Record.self, ReplayCommand.self]),
      CommandGroup(
        name: "Weighing",
        subcommands: [
          Watch.self, Tare.self, ClearTare.self, Zero.self, Commit.self, VoidCommand.self, Relabel.self,
          TimerAction.self, TargetCommand.self, DoseCommand.self, CountCommand.self, ContainerCommand.self,
          ActionCommand.self, ModelContext.self,
        ]),
      CommandGroup(
        name: "Journal and backup",
        subcommands: [
          History.self, OutboxCommand.self, BackupCommand.self, RestoreCommand.self, ReportCommand.self,
        ]),
    ])

  func run() throws { throw ValidationError("No command given.") }
}

@main
enum Main {
  static func main() {
    FleetProgram.replaceThisOne()
    Program.run(Grampad.self) { command in
      switch command {
      // A running appliance with an embedded broker has 54 open; the rest is for the dashboard and a reserve.
      case is Run, is Demo: return 76
      case let simulate as Simulate:
        // The cost per pad is not known in advance: it ends with an error when it reaches the limit.
        DescriptorLimit.raise(to: 1024 + 24 * simulate.pads)
        return nil
      default: return nil
      }
    }
  }
}
