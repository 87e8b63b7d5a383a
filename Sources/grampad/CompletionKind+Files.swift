import ArgumentParser
import Weighing

extension CompletionKind {
  /// Recordings.
  static var recording: CompletionKind { .file(extensions: ["evemu", "txt"]) }
  /// SQLite files.
  static var journal: CompletionKind { .file(extensions: ["db", "sqlite"]) }
  /// The built-in actions; only the appliance knows the quick actions.
  static var action: CompletionKind { .list(Action.allCases.map(\.rawValue)) }
  /// Input devices by their stable names.
  static var device: CompletionKind {
    .shellCommand("echo auto; ls -d /dev/input/by-id/* /dev/input/by-path/* /dev/input/event* 2>/dev/null")
  }
}
