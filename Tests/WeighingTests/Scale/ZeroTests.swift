import Testing
import Weighing

/// `zero`: what presses now is nothing.
@Suite struct ZeroTests {
  @Test func itTakesOffWhatLiesThereAndTheTare() {
    var scale = HandFedScale()
    scale.settle(100)
    scale.ask(.tare)
    scale.ask(.zero)
    let effects = scale.take()
    #expect(effects.rejections == [nil, nil])
    #expect(effects.events.last == .zeroed(DisplayedMass(steps: 50, division: .gram)))
    let reading = scale.reading
    #expect(reading.printable == "0 g" && reading.gross.steps == 0 && reading.tare.steps == 0)
    #expect(reading.isInsideZero && reading.tareEpoch == 2)
    scale.settle(160)
    #expect(scale.reading.printable == "30 g")
    scale.settle(40)
    #expect(scale.reading.printable == "-30 g")
    #expect(scale.reading.isUnderloaded)
  }

  /// On the bare pad nothing stays of it once all is lifted: nothing presses, so that is zero.
  @Test func aReleaseForgetsIt() {
    var scale = HandFedScale()
    scale.settle(100)
    scale.ask(.zero)
    scale.frame()
    scale.settle(100)
    #expect(scale.reading.printable == "50 g")
  }

  @Test func anEmptyPadIsZeroAtOnce() {
    var scale = HandFedScale()
    scale.ask(.zero)
    #expect(scale.take().rejections == [nil])
    #expect(scale.reading.state == .empty && scale.reading.tareEpoch == 1)
  }

  @Test func itWaitsForRest() {
    var scale = HandFedScale()
    scale.frame(100)
    scale.ask(.zero)
    #expect(scale.take().results.isEmpty)
    scale.wait(.seconds(1))
    #expect(scale.take().rejections == [nil])
    #expect(scale.reading.printable == "0 g")
  }
}
