import Recordings
import Testing
import Weighing

/// Loads that a user moves on a simulated pad.
struct HandledLoadsTests {
  private func load(_ id: Int, _ grams: Double, _ position: Position) -> HandledLoads.Load {
    HandledLoads.Load(id: id, mass: Grams(grams), position: position)
  }

  private func pad(_ physics: PadPhysics = SimulatedLoads.fine, _ script: LoadScript = .one(100)) throws
    -> SimulatedLoads
  {
    try SimulatedLoads(physics, script)
  }

  /// The counts of a load; the fine pad has 10,000 counts per gram.
  private func counts(_ grams: Double) -> Int { Int(grams * 10_000) }

  private let left = Position(x: 0.3, y: 0.5)
  private let right = Position(x: 0.7, y: 0.4)

  @Test func loadsAddUpAndAreLifted() throws {
    var pad = try pad()
    #expect(pad.raw(at: 2) == counts(100))
    pad.pad.hold(HandledLoads(loads: [load(1, 50, left)]))
    #expect(pad.raw(at: 3) == counts(50), "the load of the script is gone")
    pad.pad.hold(
      HandledLoads(loads: [load(1, 50, left), load(2, 20.5, right)]))
    #expect(pad.raw(at: 4) == counts(70.5))
    #expect(pad.frame.contacts.map(\.raw.counts) == [counts(50), counts(20.5)])
    #expect(pad.frame.contacts.map { $0.position?.x } == [0.3, 0.7])
    pad.pad.hold(HandledLoads(loads: [load(2, 20.5, left)]))
    #expect(pad.raw(at: 5) == counts(20.5))
    #expect(pad.frame.contacts.map { $0.position?.x } == [0.3], "it was dragged")
    pad.pad.hold(HandledLoads())
    #expect(pad.raw(at: 6) == 0)
    #expect(pad.frame.contacts.isEmpty)
  }

  /// A stack is one load whose mass changes; it keeps its contact.
  @Test func aStackGrowsWithoutATouch() throws {
    var pad = try pad()
    pad.pad.hold(HandledLoads(loads: [load(1, 50, left)]))
    _ = pad.raw(at: 1)
    let contact = try #require(pad.frame.contacts.first?.serial)
    pad.pad.hold(HandledLoads(loads: [load(1, 250, left)]))
    #expect(pad.raw(at: 2) == counts(250))
    #expect(pad.frame.contacts.map(\.serial) == [contact])
  }

  /// A load is put down within 0.15 s, and a resonant plate rings.
  @Test func aHandTakesItsTime() throws {
    var physics = SimulatedLoads.fine
    physics.resonance = 18
    physics.damping = 0.35
    var pad = try pad(physics)
    _ = pad.raw(at: 0.2)
    pad.pad.hold(HandledLoads(loads: [load(1, 100, left)]))
    let halfway = pad.raw(at: 0.28)
    #expect(halfway > counts(10) && halfway < counts(120))
    var highest = 0
    while pad.now.nanoseconds < 900_000_000 { highest = max(highest, pad.next()) }
    #expect(highest > counts(100.2), "it rings")
    #expect(abs(pad.raw(at: 2) - counts(100)) < 20)
  }

  /// A finger is measured by itself; a load next to it keeps its counts.
  @Test func aFingerPressesBesideALoad() throws {
    var pad = try pad()
    let loads = [load(1, 50, left)]
    pad.pad.hold(HandledLoads(loads: loads))
    _ = pad.raw(at: 1)
    pad.pad.hold(HandledLoads(loads: loads, finger: .init(force: Grams(180), position: Position(x: 0.95, y: 0.8))))
    _ = pad.raw(at: 2)
    #expect(pad.frame.contacts.map(\.raw.counts) == [counts(50), counts(180)])
    pad.pad.hold(HandledLoads(loads: loads, finger: .init(force: Grams(180), position: Position(x: 0.95, y: 0.2))))
    _ = pad.raw(at: 2.1)
    #expect(pad.frame.contacts.last?.position?.y == 0.2)
    pad.pad.hold(HandledLoads(loads: loads))
    #expect(pad.raw(at: 3) == counts(50))
  }

  @Test func spilledNoiseIsAsLargeAsItSays() throws {
    var pad = try pad()
    pad.pad.hold(HandledLoads(loads: [load(1, 100, left)], noise: Grams(2)))
    _ = pad.raw(at: 1)
    let grams = (0..<2000).map { _ in Double(pad.next()) / 10_000 }
    let mean = grams.reduce(0, +) / Double(grams.count)
    let variance = grams.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(grams.count)
    #expect(abs(mean - 100) < 0.2)
    #expect(abs(variance.squareRoot() - 2) < 0.15)
  }

  /// The script begins from its start, wherever it was stopped.
  @Test func theScriptReturns() throws {
    var pad = try pad()
    _ = pad.raw(at: 5)
    pad.pad.hold(HandledLoads(loads: [load(7, 30, left)]))
    #expect(pad.raw(at: 6) == counts(30))
    pad.pad.restartScript()
    #expect(pad.raw(at: 6.9) == 0)
    #expect(pad.raw(at: 8) == counts(100))
  }

  /// After it was plugged in again, the pad reports what lies on it as new contacts.
  @Test func aPadThatIsPluggedInAgainReportsItsLoads() throws {
    var pad = try pad()
    pad.pad.hold(HandledLoads(loads: [load(1, 50, left)]))
    _ = pad.raw(at: 1)
    pad.pad.replug()
    pad.assembler = try FrameAssembler(pad: pad.pad.description, axis: .automatic)
    #expect(pad.raw(at: 1.1) == counts(50))
    #expect(pad.frame.contacts.map(\.raw.counts) == [counts(50)])
  }
}
