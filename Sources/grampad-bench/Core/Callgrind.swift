import Foundation

/// Counts instructions by running this very program again under valgrind's callgrind.
///
/// What is counted is what `grampad_counted` calls, and nothing of the start-up. The count is the same for the same
/// binary on the same processor, whatever else the machine is doing.
struct Callgrind: ~Copyable {
  /// Why there is no count.
  enum Fault: Error, CustomStringConvertible {
    case missing(String)
    case failed(String)

    var description: String {
      switch self {
      case .missing(let tool): "\(tool) is not installed: instructions are not counted."
      case .failed(let text): "callgrind did not count: \(text)"
      }
    }
  }

  private let program = FileManager.default.temporaryDirectory.appendingPathComponent(
    "grampad-bench-\(ProcessInfo.processInfo.processIdentifier)")

  /// Makes a copy of this program without what a debugger needs: valgrind 3.19 gives up on what Swift writes there.
  init() throws(Fault) {
    _ = try Self.tool("valgrind")
    _ = try Self.run(["strip", "--strip-debug", "-o", program.path, Bundle.main.executablePath ?? "/proc/self/exe"])
  }

  deinit { try? FileManager.default.removeItem(at: program) }

  /// The instructions that this program with these arguments takes in `grampad_counted`.
  func instructions(_ arguments: [String]) throws(Fault) -> Double {
    let said = try Self.run(
      [
        "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=grampad_counted",
        program.path,
      ] + arguments)
    // ==123== Collected : 4567
    guard let line = said.split(separator: "\n").first(where: { $0.contains("Collected : ") }),
      let count = line.split(separator: " ").last.flatMap({ Double($0) }), count > 0
    else { throw .failed(said) }
    return count
  }

  /// Where a tool is.
  private static func tool(_ name: String) throws(Fault) -> String {
    guard let path = ToolPath.find(name) else { throw .missing(name) }
    return path
  }

  /// Runs a tool that is on the PATH; what it says on standard error.
  private static func run(_ words: [String]) throws(Fault) -> String {
    let tool = try tool(words[0])
    let child = Process()
    child.executableURL = URL(fileURLWithPath: tool)
    child.arguments = Array(words.dropFirst())
    child.standardInput = FileHandle.nullDevice
    child.standardOutput = FileHandle.nullDevice
    let said = Pipe()
    child.standardError = said
    do { try child.run() } catch { throw .failed("\(error)") }
    let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    child.waitUntilExit()
    guard child.terminationStatus == 0 else { throw .failed(text) }
    return text
  }
}
