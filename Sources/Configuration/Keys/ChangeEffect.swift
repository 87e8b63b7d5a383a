/// When a new value takes effect.
enum ChangeEffect<Value: Equatable> {
  /// At the next reload.
  case reload
  /// At the next start: the value names something outside the process, such as a topic, a port or a file, which a reload
  /// cannot change while other programs use it.
  case restart
  /// At the next start for some changes, which the sentence names.
  case restartFor(String, _ isAffected: (_ old: Value, _ new: Value) -> Bool)

  /// Which changes need a restart, as a sentence; `nil` if none do.
  var restart: String? {
    switch self {
    case .reload: nil
    case .restart: "A change requires a restart."
    case .restartFor(let sentence, _): sentence
    }
  }

  /// Whether the change from the old to the new value needs a restart.
  func needsRestart(_ old: Value, _ new: Value) -> Bool {
    switch self {
    case .reload: false
    case .restart: old != new
    case .restartFor(_, let isAffected): isAffected(old, new)
    }
  }
}
