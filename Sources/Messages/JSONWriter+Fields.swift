/// The value of a field.
package protocol JSONFieldValue {
  /// Writes the value.
  func write(to json: inout JSONWriter)
}

extension Bool: JSONFieldValue { package func write(to json: inout JSONWriter) { json.boolean(self) } }
extension Double: JSONFieldValue { package func write(to json: inout JSONWriter) { json.number(self) } }
extension Int: JSONFieldValue { package func write(to json: inout JSONWriter) { json.integer(self) } }
extension String: JSONFieldValue { package func write(to json: inout JSONWriter) { json.string(self) } }

/// Fields of objects: keys with their values.
extension JSONWriter {
  /// Writes keys with their values, or `null`.
  package mutating func fields(_ pairs: (String, (any JSONFieldValue)?)...) {
    for (name, value) in pairs {
      key(name)
      if let value { value.write(to: &self) } else { null() }
    }
  }

  /// Writes a key and a text, or `null`.
  package mutating func field(_ name: String, _ value: String?) {
    key(name)
    string(value)
  }

  /// Writes a key and `true` or `false`.
  package mutating func field(_ name: String, _ value: Bool) {
    key(name)
    boolean(value)
  }

  /// Writes a key and an integer, or `null`.
  package mutating func field(_ name: String, _ value: Int?) {
    key(name)
    integer(value)
  }

  /// Writes a key and a number, or `null`.
  ///
  /// - Parameter decimals: The number is rounded to 0...9 decimals; without it, parsing returns the same number.
  package mutating func field(_ name: String, _ value: Double?, decimals: Int? = nil) {
    key(name)
    guard let value else { return null() }
    if let decimals { number(value, decimals: decimals) } else { number(value) }
  }

  /// Writes any value, as it was parsed.
  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .boolean(let flag): boolean(flag)
    case .number(let number): self.number(number)
    case .string(let text): string(text)
    case .array(let items): array { json in for item in items { json.value(item) } }
    case .object(let fields): object { json in for key in fields.keys { json.field(key, of: fields) } }
    }
  }

  /// Writes a key and its value in an object that was parsed.
  package mutating func field(_ name: String, of fields: JSONObject) {
    key(name)
    if let literal = fields.literal(of: name) { verbatim(Array(literal.utf8)) } else { value(fields[name] ?? .null) }
  }

  /// Writes a key and an object.
  package mutating func object(_ name: String, _ body: (inout JSONWriter) -> Void) {
    key(name)
    object(body)
  }

  /// Writes a key and an object for a value, or `null`.
  package mutating func object<Value>(_ name: String, _ value: Value?, _ body: (inout JSONWriter, Value) -> Void) {
    key(name)
    if let value { object { json in body(&json, value) } } else { null() }
  }

  /// Writes a key and an array with what `body` writes for each item.
  package mutating func array<Item>(
    _ name: String, _ items: some Sequence<Item>, _ body: (inout JSONWriter, Item) -> Void
  ) {
    key(name)
    array { json in for item in items { body(&json, item) } }
  }
}
