import Glibc

/// Reads one command a line from standard input, does it, and answers with one line on standard output.
///
/// Every answer is written before the next command is read, so that a script can use it as a handshake.
/// Exit status: 0 when the input ends or `quit` is read, 64 for a wrong command line, 1 after any `error:` answer.
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

/// Why a command could not be done.
struct PadError: Error {
  var reason: String

  init(_ reason: String) { self.reason = reason }

  /// A failed system call: what was tried, and the text of `code` (errno, positive).
  init(_ action: String, code: Int32) { reason = "\(action): \(String(cString: strerror(code)))" }
}
