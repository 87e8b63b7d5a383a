import ArgumentParser
import Configuration
import EventLoop
import Glibc

/// Parses a command line and runs the command; ends the process.
package enum Program {
  /// The name it was started with; in messages.
  package static let name = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "grampad"

  /// What a command needs before it runs.
  package struct Needs {
    /// The number of file descriptors that it opens, with a reserve.
    package var descriptors: Int
    /// Runs its tasks; `nil` for Swift's own.
    package var executor: SerialTaskExecutor?

    package init(descriptors: Int = 28, executor: SerialTaskExecutor? = nil) {
      (self.descriptors, self.executor) = (descriptors, executor)
    }
  }

  /// Runs the command that the arguments name.
  package static func run<Root: ParsableCommand>(
    _ root: Root.Type, needs: (any ParsableCommand) -> Needs = { _ in Needs() }
  ) -> Never {
    require(descriptors: 16)
    do {
      if let name = CommandLine.arguments.dropFirst().first { try refuseUnknownCommand(name, of: root) }
      var command = try root.parseAsRoot()
      let needs = needs(command)
      require(descriptors: needs.descriptors)
      guard let lasting = command as? any AsyncParsableCommand else {
        try command.run()
        exit(.success)
      }
      let ended = Signal()
      // From here on, only the task uses it.
      nonisolated(unsafe) let handedOver = lasting
      Task.detached(executorPreference: needs.executor) {
        var command = handedOver
        do {
          try await command.run()
        } catch {
          exit(with: error, of: root)
        }
        ended.raise()
      }
      // The parent process may have blocked signals, and every other thread blocks most of them: receive them on this
      // thread.
      var none = sigset_t()
      sigemptyset(&none)
      pthread_sigmask(SIG_SETMASK, &none, nil)
      // A signal interrupts the wait but must not end the program.
      while !ended.wait(milliseconds: -1) {}
      exit(.success)
    } catch {
      exit(with: error, of: root)
    }
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
