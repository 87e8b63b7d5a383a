import Languages

/// A file of the page in a language.
///
/// In the source, `«key»` stands for a text, and `«key name=${expression}»` for one with values; where the text has a placeholder
/// `{name}`, the expression is inserted as it is. A text that depends on a number takes it as `count`. In markup a value is not an
/// expression: `«key file=<code>x</code>»`. Since the server inserts the texts, the page needs neither a table of them nor another
/// request. `«sentences»` stands for the texts of sentences, by the names of their keys, and `«version»` for the version of the page.
struct PageText {
  /// How a text is quoted in a file.
  enum Kind {
    /// Within an element or an attribute of HTML.
    case markup
    /// Within a string or a template literal of JavaScript.
    case code
  }

  /// A use of a text: its key and its values by their names.
  struct Mark: Equatable {
    var key: String
    var values: [String: String]
  }

  let texts: Texts
  let kind: Kind
  /// What distinguishes this version of the page from others.
  var version = ""

  /// The source with the texts of the language.
  func rendered(_ source: some StringProtocol) -> String {
    var result = ""
    var rest = Substring(source)
    while let (before, mark, after) = Self.split(rest) {
      result += before
      result += text(of: mark)
      rest = after
    }
    return result + rest
  }

  /// Splits at the first mark.
  private static func split(_ source: Substring) -> (before: Substring, mark: Mark, after: Substring)? {
    guard let begin = beginning(in: source) else { return nil }
    var rest = source[source.index(after: begin)...]
    let key = rest.prefix { $0 != " " && $0 != "»" }
    rest = rest[key.endIndex...]
    var mark = Mark(key: String(key), values: [:])
    while rest.first == " ", let sign = rest.firstIndex(of: "=") {
      let name = String(rest[rest.index(after: rest.startIndex)..<sign])
      let value = value(rest[rest.index(after: sign)...])
      mark.values[name] = String(value)
      rest = rest[value.endIndex...]
    }
    return (source[..<begin], mark, rest.dropFirst())
  }

  /// The position of the first `«`, by its bytes, since a file has many more characters than marks.
  private static func beginning(in source: Substring) -> Substring.Index? {
    var rest = source.utf8
    while let index = rest.firstIndex(of: 0xc2) {
      rest = rest[rest.index(after: index)...]
      if rest.first == 0xab { return index }
    }
    return nil
  }

  /// The value at the beginning: an expression in its braces, or what is there up to the end of the mark.
  private static func value(_ source: Substring) -> Substring {
    guard source.hasPrefix("${") else { return source.prefix { $0 != "»" } }
    var depth = 0
    for index in source.indices {
      if source[index] == "{" { depth += 1 }
      if source[index] == "}" { depth -= 1 }
      if depth == 0, source[index] == "}" { return source[...index] }
    }
    return source
  }

  /// What the mark `«sentences»` inserts: `journal_full:'...'`, and `{one:'...',other:'...'}` for a text with plural forms.
  private var sentences: String {
    TextKey.allCases.map { key in
      let forms = texts.language.pluralForms.compactMap { form in
        texts.lines["\(key.rawValue).\(form)"].map { "\(form):'\(quoted($0))'" }
      }
      let text = "'\(quoted(texts.lines[key.rawValue] ?? key.rawValue))'"
      return "\(key.name):\(forms.isEmpty ? text : "{\(forms.joined(separator: ","))}")"
    }.joined(separator: ",\n")
  }

  private func text(of mark: Mark) -> String {
    if mark.key == "sentences" { return sentences }
    if mark.key == "version" { return version }
    let forms = texts.language.pluralForms.compactMap { form in texts.lines["\(mark.key).\(form)"].map { (form, $0) } }
    guard let last = forms.last else { return filled(texts.lines[mark.key] ?? mark.key, mark.values) }
    guard forms.count > 1, let count = mark.values["count"] else { return filled(last.1, mark.values) }
    // The number is evaluated once.
    let values = mark.values.merging(["count": "${$n}"]) { $1 }
    let choices = forms.map { "`\(filled($0.1, values))`" }.joined(separator: ":")
    return "${($n=>$n===1?\(choices))(\(rendered(count.dropFirst(2).dropLast())))}"
  }

  private func filled(_ text: String, _ values: [String: String]) -> String {
    Texts.pieces(of: text).map { piece in
      switch piece {
      case .text(let text): quoted(text)
      case .placeholder(let name): values[name].map { rendered($0) } ?? "{\(name)}"
      }
    }.joined()
  }

  /// A text as it is written within its file.
  private func quoted(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch (kind, character) {
      case (.markup, "&"): result += "&amp;"
      case (.markup, "<"): result += "&lt;"
      case (.markup, "\""): result += "&quot;"
      case (.code, "\\"), (.code, "'"), (.code, "\""), (.code, "`"), (.code, "$"): result += "\\\(character)"
      default: result.append(character)
      }
    }
  }

  /// All uses of texts in a source, those in values too.
  static func marks(in source: String) -> [Mark] {
    var marks: [Mark] = []
    var rest = Substring(source)
    while let (_, mark, after) = split(rest) {
      marks.append(mark)
      for value in mark.values.values { marks += Self.marks(in: value) }
      rest = after
    }
    return marks
  }
}
