import Foundation

/// Why instructions were not counted.
enum CallgrindError: Error, CustomStringConvertible {
  case missing(String)
  case failed(String)

  var description: String {
    switch self {
    case .missing(let tool): "\(tool) is not installed: instructions are not counted."
    case .failed(let text): "callgrind did not count: \(text)"
    }
  }
}

/// Counts instructions by running this program again under valgrind's callgrind.
///
/// It counts only what `grampad_counted` calls. The count of a binary is the same on every run on the same processor.
struct Callgrind: ~Copyable {
  private let program = FileManager.default.temporaryDirectory.appendingPathComponent(
    "grampad-bench-\(ProcessInfo.processInfo.processIdentifier)")

  /// Makes a copy of this program without debug information, which valgrind 3.19 cannot read.
  init() throws(CallgrindError) {
    _ = try Self.tool("valgrind")
    _ = try Self.run(["strip", "--strip-debug", "-o", program.path, Bundle.main.executablePath ?? "/proc/self/exe"])
  }

  deinit { try? FileManager.default.removeItem(at: program) }

  /// Returns the number of instructions in `grampad_counted` when this program runs with these arguments.
  func instructions(_ arguments: [String]) throws(CallgrindError) -> Double {
    let output = try Self.run(
      [
        "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=grampad_counted",
        program.path,
      ] + arguments)
    // ==123== Collected : 4567
    guard let line = output.split(separator: "\n").first(where: { $0.contains("Collected : ") }),
      let count = line.split(separator: " ").last.flatMap({ Double($0) }), count > 0
    else { throw .failed(output) }
    return count
  }

  /// Returns the path of a tool.
  private static func tool(_ name: String) throws(CallgrindError) -> String {
    guard let path = RequiredTools.path(of: name) else { throw .missing(name) }
    return path
  }

  /// Runs a tool and returns its output.
  private static func run(_ words: [String]) throws(CallgrindError) -> String {
    let command = [try tool(words[0])] + words.dropFirst()
    let result: (status: Int32, text: String)
    do throws(CostError) { result = try ChildProcesses().output(command) } catch { throw .failed("\(error)") }
    guard result.status == 0 else { throw .failed(result.text) }
    return result.text
  }
}
