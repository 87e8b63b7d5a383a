import Linux
import Logging

/// Writes log messages to standard error, one line each. Text from external sources (device names, labels, topics) cannot
/// break the line or send escape sequences to a terminal.
struct SafeLogHandler: LogHandler {
  private var stream: StreamLogHandler
  private let output: @Sendable (() -> Void) -> Void

  /// Makes a handler; `output` must call its argument, which writes the line.
  init(label: String, output: @escaping @Sendable (() -> Void) -> Void) {
    stream = .standardError(label: label)
    self.output = output
  }

  var metadata: Logger.Metadata {
    get { stream.metadata }
    set { stream.metadata = newValue }
  }

  var metadataProvider: Logger.MetadataProvider? {
    get { stream.metadataProvider }
    set { stream.metadataProvider = newValue }
  }

  var logLevel: Logger.Level {
    get { stream.logLevel }
    set { stream.logLevel = newValue }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { stream[metadataKey: key] }
    set { stream[metadataKey: key] = newValue }
  }

  func log(event: LogEvent) {
    var event = event
    event.message = "\(event.message.description.escapedForTerminal)"
    event.metadata = event.metadata?.mapValues(Self.escaped)
    output { [stream] in stream.log(event: event) }
  }

  private static func escaped(_ value: Logger.Metadata.Value) -> Logger.Metadata.Value {
    switch value {
    case .string(let text): .string(text.escapedForTerminal)
    case .stringConvertible(let value): .string(value.description.escapedForTerminal)
    case .array(let values): .array(values.map(escaped))
    case .dictionary(let values): .dictionary(values.mapValues(escaped))
    }
  }
}
