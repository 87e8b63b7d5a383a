import ArgumentParser
import Configuration
import Glibc
import Linux

/// Parses a command line and runs the command; ends the process.
package enum Program {
  /// The name it was started with; in messages.
  package static let name = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "grampad"

  /// Runs the command that the arguments name.
  ///
  /// - Parameter descriptors: The number of file descriptors that a command opens, with a reserve; `nil` for the usual number.
  package static func run<Root: ParsableCommand>(
    _ root: Root.Type, descriptors: (any ParsableCommand) -> Int? = { _ in nil }
  ) -> Never {
    require(descriptors: 16)
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      if let name = arguments.first { try refuseUnknownCommand(name, of: root) }
      var command = try root.parseAsRoot(withNegativeNumbers(arguments))
      require(descriptors: descriptors(command) ?? 28)
      // The parent process may have blocked signals.
      var none = sigset_t()
      sigemptyset(&none)
      pthread_sigmask(SIG_SETMASK, &none, nil)
      // A reader that has gone is an error of write(2), after which a command cleans up.
      signal(SIGPIPE, SIG_IGN)
      try command.run()
      exit(.success)
    } catch {
      exit(with: error, of: root)
    }
  }

  /// The arguments with negative numbers at the end, after `--`, so that a command can say what it expects: the parser would
  /// treat -5 as an option. One directly after an option stays, because it may be its value.
  private static func withNegativeNumbers(_ arguments: [String]) -> [String] {
    var (options, values): ([String], [String]) = ([], [])
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    var isAfterOption = false
    for argument in arguments[..<end] {
      let isNumber = Double(argument) != nil
      if isNumber, argument.hasPrefix("-"), !isAfterOption { values.append(argument) } else { options.append(argument) }
      isAfterOption = !isNumber && argument.hasPrefix("-") && !argument.contains("=")
    }
    values += arguments[end...].dropFirst()
    return options + (values.isEmpty && end == arguments.endIndex ? [] : ["--"] + values)
  }

  /// Throws a `ValidationError` with a suggestion if `name` is neither a command nor an option.
  private static func refuseUnknownCommand(_ name: String, of root: any ParsableCommand.Type) throws {
    let names = root.configuration.subcommands.map { $0._commandName } + ["help"]
    guard !name.hasPrefix("-"), !names.contains(name) else { return }
    let suggestion = closest(to: name, in: names).map { "; did you mean '\($0)'?" } ?? "."
    throw ValidationError("Unknown command '\(name.escapedForTerminal)'\(suggestion)")
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
  private static func exit(with error: any Error, of root: any ParsableCommand.Type) -> Never {
    let code = root.exitCode(for: error)
    let text = root.fullMessage(for: error)
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
