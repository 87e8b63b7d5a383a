import Commands
import Glibc
import Linux

/// `grampad-fleet`, which has the commands for many scales: it needs libraries that a scale does not.
enum FleetProgram {
  private static let name = "grampad-fleet"

  /// If the arguments are a command of `grampad-fleet`, runs that program in place of this one, with the same arguments and under the
  /// name of this one; ends with an error if it is not installed. `execv(3)`
  static func replaceThisOne() {
    let arguments = CommandLine.arguments
    guard has(Array(arguments.dropFirst())) else { return }
    var words = arguments.map { strdup($0) } + [nil]
    // Next to this one, where both are installed or built; else where the shell would find it.
    if let own = FileSystem.target(ofLink: "/proc/self/exe") { execv("\(parentFolder(of: own))/\(name)", &words) }
    execvp(name, &words)
    printMessage(.fleetNotInstalled, ["command": "grampad \(arguments[1])", "package": name])
    exit(Sysexit.unavailable.rawValue)
  }

  private static func has(_ arguments: [String]) -> Bool {
    switch arguments.first {
    case "collect", "fleet": true
    case "help": ["collect", "fleet"].contains(arguments.dropFirst().first)
    case "enroll": arguments.contains("--serve")
    case "simulate": arguments.contains { $0 == "--devices" || $0.hasPrefix("--devices=") }
    default: false
    }
  }
}
