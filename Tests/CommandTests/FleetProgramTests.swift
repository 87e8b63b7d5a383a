import Foundation
import Glibc
import Testing

/// The commands of `grampad-fleet`, which `grampad` runs under their old names.
@Suite struct FleetProgramTests {
  @Test(arguments: [["collect"], ["fleet"], ["enroll", "--serve"], ["simulate", "--devices", "1"]])
  func theProgramIsRun(_ command: [String]) async throws {
    let help = try await Program.run(command + ["--help"])
    #expect(help.code == 0 && help.output.contains("USAGE: grampad-fleet \(command[0])"), "\(help)")
  }

  @Test func itsHelpIsShown() async throws {
    let help = try await Program.run(["help", "collect"])
    #expect(help.code == 0 && help.output.contains("--database"), "\(help)")
  }

  /// A `grampad` alone, as without the package.
  @Test(arguments: [["collect"], ["fleet", "--database", "x"], ["enroll", "--serve"], ["simulate", "--devices=1"]])
  func thePackageIsNamed(_ command: [String]) async throws {
    let folder = try TemporaryFolder()
    let alone = "\(folder.path)/grampad"
    if link(try Program.path(), alone) != 0 {
      try await Program.copy(Program.path(), to: alone)
    }
    let ended = try await Program(alone, command, environment: ["PATH": folder.path]).ended()
    #expect(ended.code == 69, "\(ended)")
    #expect(
      ended.complaints
        == "grampad: grampad \(command[0]) is in the package grampad-fleet, which is not installed; install it: sudo apt install grampad-fleet\n"
    )
  }

  @Test func theOtherFormsStay() async throws {
    let ended = try await Program.run(["simulate", "--help"])
    #expect(ended.code == 0 && ended.output.contains("--pads"), "\(ended)")
    let unknown = try await Program.run(["colect"])
    #expect(unknown.code == 64 && unknown.complaints.contains("Unknown command 'colect'"), "\(unknown)")
  }
}
