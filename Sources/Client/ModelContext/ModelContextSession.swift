import Linux
import Synchronization
import SystemPackage

/// A session of the Model Context Protocol on two descriptors: one JSON message a line in each direction.
package struct ModelContextSession: Sendable {
  private let input: FileDescriptor
  private let output: LineWriter

  /// Makes a session.
  package init(input: FileDescriptor, output: FileDescriptor) {
    self.input = input
    self.output = LineWriter(output)
  }

  /// Serves the client until the end of the input; then answers the calls that are in progress. Blocks the calling
  /// thread.
  ///
  /// - Throws: The error of the descriptor that failed.
  package func run(
    _ description: ModelContextServer.Description, tools: [Tool], interrupt: @escaping @Sendable () -> Void
  ) throws(Errno) {
    let server = ModelContextServer(description, tools: tools, interrupt: interrupt) { [output] in output.write($0) }
    var reader = LineReader()
    while true {
      let bytes: [UInt8]
      do throws(Errno) {
        bytes = try input.readPiece()
      } catch {
        if error == .interrupted { continue }
        throw error
      }
      let lines = bytes.isEmpty ? [reader.end()].compactMap(\.self) : reader.append(bytes)
      for line in lines {
        switch line {
        case .complete(let line): server.receive(line)
        case .tooLong: server.reject("the line is longer than \(LineReader.maximumBytes) bytes")
        }
      }
      if let fault = output.fault { throw fault }
      if bytes.isEmpty { break }
    }
    server.finish()
    if let fault = output.fault { throw fault }
  }
}

/// Writes lines from several threads.
private final class LineWriter: Sendable {
  private struct State: Sendable {
    let descriptor: FileDescriptor
    var fault: Errno?
  }

  /// Guards the descriptor, so that lines do not mix.
  private let state: Mutex<State>

  init(_ descriptor: FileDescriptor) { state = Mutex(State(descriptor: descriptor)) }

  /// The error of the first write that failed.
  var fault: Errno? { state.withLock { $0.fault } }

  /// Writes a line; does nothing for an empty one, and after a write has failed.
  func write(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    state.withLock { state in
      guard state.fault == nil else { return }
      do {
        try state.descriptor.writeAll(bytes + [UInt8(ascii: "\n")])
      } catch {
        state.fault = Errno(error)
      }
    }
  }
}
