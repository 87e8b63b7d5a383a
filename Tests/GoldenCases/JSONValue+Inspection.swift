import Messages

extension JSONValue {
  /// The keys of an object.
  package var keys: Set<String>? { if case .object(let object) = self { Set(object.keys) } else { nil } }
}
