import CAllocations
import Messages
import Weighing

/// Processes the events of a pad as the weighing loop of `run` does, up to the bytes for the broker.
struct CoreRun {
  private let sequence: FrameSequence
  private var assembler: FrameAssembler
  private var machine: ScaleMachine
  private var composer: MessageComposer
  private var effects: [Effect] = []
  private var composed: [Message] = []
  private var next = 0
  /// Number of composed messages.
  private(set) var messages = 0
  /// Number of bytes in their topics and payloads.
  private(set) var bytes = 0

  /// The delay from the time stamp of a frame until it is read; chosen.
  private static let readDelay = Interval(nanoseconds: 50_000)

  /// Prepares a run of a scene.
  ///
  /// - Parameter frames: The number of frames after the warm-up.
  init(_ scene: CoreScene, frames: Int) throws {
    let start = Instant(nanoseconds: 1_000_000_000)
    let settings = try scene.settings()
    sequence = scene.sequence(frames: frames, at: start)
    assembler = try FrameAssembler(pad: scene.kind.description, axis: settings.axis)
    machine = ScaleMachine(settings: settings, at: start)
    composer = MessageComposer(
      topics: Topics(prefix: "grampad", id: "kitchen"), heartbeat: settings.publish.heartbeat, clock: .recorded)
    _ = machine.handle(.padFound(scene.kind.description), at: start)
    for request in scene.requests { _ = machine.handle(.request(request), at: start) }
  }

  /// Plays the warm-up.
  mutating func warmUp() {
    play(CoreScene.warmUp)
    (messages, bytes) = (0, 0)
  }

  /// Whether the program uses the malloc that counts: whether it counts a thousand arrays.
  static var countsAllocations: Bool {
    var made: [[Int]] = []
    let counted = withUnsafeMutablePointer(to: &made) { made in
      grampad_counted(
        { context in
          let made = context.assumingMemoryBound(to: [[Int]].self)
          for index in 0..<1000 { made.pointee.append(Array(repeating: index, count: 10)) }
        }, made)
    }
    return counted.count >= 1000 && counted.bytes >= 80_000
  }

  /// Plays the remaining frames and returns what they allocate.
  mutating func playCounted() -> Allocations {
    withUnsafeMutablePointer(to: &self) { run in
      grampad_counted({ $0.assumingMemoryBound(to: CoreRun.self).pointee.playRest() }, run)
    }
  }

  /// Plays the remaining frames.
  mutating func playRest() { play(sequence.frames.count - next) }

  private mutating func play(_ count: Int) {
    for frame in next..<next + count {
      let events = sequence.frames[frame]
      for index in events {
        if let frame = assembler.handle(sequence.events[index]) {
          machine.handle(.frame(frame), at: frame.time, into: &effects)
          composeMessages()
        }
      }
      machine.advance(to: sequence.events[events.lowerBound].time + Self.readDelay, into: &effects)
      composeMessages()
      if machine.nextDeadline == nil { break }
    }
    next += count
  }

  private mutating func composeMessages() {
    for index in effects.indices {
      composer.clock = .recorded
      composer.messages(for: effects[index], into: &composed)
      for message in composed {
        messages += 1
        bytes += message.topic.utf8.count + message.payload.count
      }
      composed.removeAll(keepingCapacity: true)
    }
    effects.removeAll(keepingCapacity: true)
  }
}
