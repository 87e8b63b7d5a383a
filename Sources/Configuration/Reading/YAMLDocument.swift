import Linux
import Yams

/// Parses a YAML file into nodes, and reports all diagnostics of the YAML itself.
///
/// Rejects features that a configuration does not need: anchors and aliases (with which a few lines can expand to
/// gigabytes), tags, and several documents. libyaml limits nesting to 1000 levels; the recursion of Yams and of this parser
/// then needs less than 2 MiB of stack (measured in a debug build; threads have 8 MiB).
struct YAMLDocument {
  private let bytes: [UInt8]
  private let reporter: DiagnosticReporter

  /// The maximum size; libyaml takes about a second for that much.
  static let maximumBytes = 1 << 20

  init(_ bytes: [UInt8], _ reporter: DiagnosticReporter) {
    (self.bytes, self.reporter) = (bytes, reporter)
  }

  /// The root; `nil` for an empty file, and after errors that leave nothing to read.
  func load() -> YAMLNode? {
    guard bytes.count <= Self.maximumBytes else {
      return reporter.report(
        .yamlTooLarge, ["count": bytes.count, "maximum": Self.maximumBytes], at: .start)
    }
    guard var text = String(validating: bytes, as: UTF8.self) else {
      return reporter.report(.yamlEncoding, at: YAMLText.firstMalformed(in: bytes))
    }
    // The byte order mark that some editors write.
    if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
    if let position = YAMLText.firstUnprintable(in: text) {
      return reporter.report(.yamlControlCharacters, at: position)
    }
    if let position = YAMLText.firstOfManyAliases(in: text) { return reporter.report(.yamlAliases, at: position) }
    return compose(text)
  }

  private func compose(_ text: String) -> YAMLNode? {
    var duplicates = DuplicateKeys(text)
    let marks = YAMLText.leadingMarks(in: text)
    while true {
      do {
        // With the basic resolver all keys are strings, so that 1 and "1" are the same key. The parser owns the anchors.
        let parser = try Parser(yaml: duplicates.text, resolver: .basic, encoding: .utf8)
        let root = try parser.singleRoot()
        return withExtendedLifetime(parser) {
          root.flatMap { NodeReader(reporter: reporter, duplicates: duplicates, marks: marks).read($0) }
        }
      } catch let error as YamlError {
        if case .duplicatedKeysInMapping(let names, let context) = error {
          guard duplicates.rename(names.first ?? "", at: SourcePosition(context.mark)) else {
            return reporter.report(.yamlManyDuplicates, at: SourcePosition(context.mark))
          }
        } else {
          return report(error, in: text)
        }
      } catch {
        return reporter.report(.yamlUnreadable, ["reason": "\(error)"], at: .start)
      }
    }
  }

  private func report(_ error: YamlError, in text: String) -> YAMLNode? {
    switch error {
    case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let position = YAMLText.clamped(SourcePosition(mark), to: text)
      if YAMLText.isIndentedByTab(line: position.line, of: text) { return reporter.report(.yamlTabs, at: position) }
      if problem.contains("another document") { return reporter.report(.yamlDocuments, at: position) }
      if problem.contains("nesting level") { return reporter.report(.yamlDepth, at: position) }
      let around = context.map { " \($0.text)" } ?? ""
      return reporter.report(.yamlInvalid, ["problem": problem + around], at: position)
    case .reader(let problem, _, _, _):
      return reporter.report(.yamlInvalid, ["problem": problem], at: .start)
    case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded, .duplicatedKeysInMapping:
      return reporter.report(.yamlUnreadable, ["reason": "\(error)"], at: .start)
    }
  }
}

/// Converts Yams nodes to `YAMLNode`.
private struct NodeReader {
  let reporter: DiagnosticReporter
  let duplicates: DuplicateKeys
  /// See `YAMLText.leadingMarks`.
  let marks: Set<SourcePosition>

  /// The node; `nil` if it uses an unsupported feature.
  func read(_ node: Node) -> YAMLNode? {
    let position = SourcePosition(node.mark)
    guard !reportsUnsupported(of: node, at: position) else { return nil }
    switch node {
    case .scalar(let scalar):
      let isPlain = scalar.style == .plain && scalar.tag.rawValue.isEmpty
      return YAMLNode(content: .scalar(string(of: scalar, at: position), isPlain: isPlain), position: position)
    case .sequence(let sequence):
      return YAMLNode(content: .sequence(sequence.compactMap(read)), position: position)
    case .mapping(let mapping):
      return YAMLNode(content: .mapping(mapping.compactMap(entry)), position: position)
    case .alias:
      return reporter.report(.yamlAliases, at: position)
    }
  }

  private func entry(_ pair: (key: Node, value: Node)) -> YAMLNode.Entry? {
    let position = SourcePosition(pair.key.mark)
    guard !reportsUnsupported(of: pair.key, at: position) else { return nil }
    guard case .scalar(let key) = pair.key else { return reporter.report(.yamlKey, at: position) }
    guard let value = read(pair.value) else { return nil }
    let name = duplicates.names[position] ?? string(of: key, at: position)
    return YAMLNode.Entry(key: name, position: position, value: value)
  }

  private func string(of scalar: Node.Scalar, at position: SourcePosition) -> String {
    (marks.contains(position) ? "\u{FEFF}" : "") + scalar.string
  }

  private func reportsUnsupported(of node: Node, at position: SourcePosition) -> Bool {
    let anchor: Anchor?
    let tag: String
    switch node {
    case .scalar(let scalar): (anchor, tag) = (scalar.anchor, scalar.tag.rawValue)
    case .sequence(let sequence): (anchor, tag) = (sequence.anchor, sequence.tag.rawValue)
    case .mapping(let mapping): (anchor, tag) = (mapping.anchor, mapping.tag.rawValue)
    case .alias(let alias): (anchor, tag) = (alias.anchor, "")
    }
    if anchor != nil {
      reporter.report(.yamlAnchors, at: position)
      return true
    }
    let implied = ["", "tag:yaml.org,2002:str", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map"]
    guard !implied.contains(tag) else { return false }
    reporter.report(.yamlTags, ["tag": printable(tag)], at: position)
    return true
  }
}

extension SourcePosition {
  /// The position of a Yams mark; the start of the file if there is none.
  fileprivate init(_ mark: Mark?) { self.init(line: max(mark?.line ?? 1, 1), column: max(mark?.column ?? 1, 1)) }
}
