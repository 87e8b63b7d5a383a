import Foundation

/// Why the cost could not be measured.
enum CostError: Error, CustomStringConvertible {
  /// Debian packages that are not installed.
  case missing([String])
  /// There is no program at this path.
  case noProgram(String)
  /// A C program cannot be built.
  case notBuilt(String, output: String)
  /// The broker does not answer.
  case noBroker(output: String)
  /// A run failed.
  case failed(String, status: Int32, output: String)
  /// Interrupted by this signal.
  case interrupted(Int32)

  var description: String {
    switch self {
    case .missing(let packages):
      "Required packages are missing. Install them:  sudo apt install \(packages.joined(separator: " "))"
    case .noProgram(let path):
      """
      \(path) not found. Build it in the same directory as this program, with the same options:
        swift build -c release --static-swift-stdlib --product grampad
      or specify another with --grampad.
      """
    case .notBuilt(let name, let output): "\(name) cannot be built:\n\(output)"
    case .noBroker(let output): "mosquitto is not responding:\n\(output)"
    case .failed(let name, let status, let output): "The run of \(name) ended with status \(status):\n\(output)"
    case .interrupted: "Interrupted; nothing is left behind."
    }
  }

  /// The exit status, see sysexits.h.
  var status: Int32 {
    switch self {
    case .missing, .noBroker: 69
    case .noProgram: 66
    case .notBuilt, .failed: 70
    case .interrupted(let signal): 128 + signal
    }
  }
}
