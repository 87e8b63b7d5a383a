import CAllocations
import Messages
import Weighing

/// What the weighing loop of `run` does with the events of a pad, up to the bytes that go to a broker.
struct CoreRun {
  private let tape: PadTape
  private var assembler: FrameAssembler
  private var machine: ScaleMachine
  private var composer: MessageComposer
  private var effects: [Effect] = []
  private var composed: [Message] = []
  private var next = 0
  /// What has come out.
  private(set) var messages = 0
  private(set) var bytes = 0

  /// A frame is read so long after its time stamp; chosen.
  private static let late = Interval(nanoseconds: 50_000)

  /// Makes a run of a scene, with so many frames after the warm-up.
  init(_ scene: CoreScene, frames: Int) throws {
    let start = Instant(nanoseconds: 1_000_000_000)
    let settings = try scene.settings()
    tape = scene.tape(frames: frames, at: start)
    assembler = try FrameAssembler(pad: scene.kind.description, axis: settings.axis)
    machine = ScaleMachine(settings: settings, at: start)
    composer = MessageComposer(
      topics: Topics(prefix: "grampad", id: "kitchen"), heartbeat: settings.heartbeat, clock: .recorded)
    _ = machine.handle(.padFound(scene.kind.description), at: start)
  }

  /// Plays the warm-up.
  mutating func warmUp() {
    play(CoreScene.warmUp)
    (messages, bytes) = (0, 0)
  }

  /// Whether a thousand arrays are seen to be made: that this program's malloc is the one that counts.
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

  /// Plays the rest; what it allocates.
  mutating func playCounted() -> Allocations {
    withUnsafeMutablePointer(to: &self) { run in
      grampad_counted({ $0.assumingMemoryBound(to: CoreRun.self).pointee.playRest() }, run)
    }
  }

  /// Plays the rest.
  mutating func playRest() {
    play(tape.frames.count - next)
  }

  private mutating func play(_ count: Int) {
    for frame in next..<next + count {
      let events = tape.frames[frame]
      for index in events {
        if let frame = assembler.handle(tape.events[index]) {
          machine.handle(.frame(frame), at: frame.time, into: &effects)
          deliver()
        }
      }
      machine.advance(to: tape.events[events.lowerBound].time + Self.late, into: &effects)
      deliver()
      if machine.nextDeadline == nil { break }
    }
    next += count
  }

  private mutating func deliver() {
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
