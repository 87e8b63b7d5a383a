import Messages

extension JSONValue {
  /// The keys of an object.
  package var keys: Set<String>? { if case .object(let object) = self { Set(object.keys) } else { nil } }
}

extension JSONWriter {
  /// Writes any value.
  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .boolean(let flag): boolean(flag)
    case .number(let number): self.number(number)
    case .string(let text): string(text)
    case .array(let items): array { json in for item in items { json.value(item) } }
    case .object(let fields):
      object { json in
        for key in fields.keys {
          json.key(key)
          json.value(fields[key] ?? .null)
        }
      }
    }
  }
}
