import Glibc

/// Executes commands from standard input, one per line, and answers each with one line on standard output.
///
/// It writes an answer before it reads the next command, so that a script can use it as a handshake. Exit status: 0 at the
/// end of the input or after `quit`, 64 for an invalid command line, 1 after any `error:` answer.
@main
enum TestPad {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.isEmpty else {
      let help = arguments.first == "--help" || arguments.first == "-h"
      write(help ? STDOUT_FILENO : STDERR_FILENO, usage, usage.utf8.count)
      exit(help ? EXIT_SUCCESS : 64)
    }
    var bench = Bench()
    var failed = false
    while let line = readLine() {
      guard let command = Command(line) else { continue }
      if command.verb == "quit" { break }
      do throws(PadError) {
        print((["ok", command.verb] + (try bench.perform(command))).joined(separator: " "))
      } catch {
        failed = true
        print("error: \(command.verb): \(error.reason)")
      }
      fflush(nil)
    }
    exit(failed ? EXIT_FAILURE : EXIT_SUCCESS)
  }
}

/// Why a command failed.
struct PadError: Error {
  var reason: String

  init(_ reason: String) { self.reason = reason }

  /// Makes an error for a failed system call, with the text of `code` (errno, positive).
  init(_ action: String, code: Int32) { reason = "\(action): \(String(cString: strerror(code)))" }
}
