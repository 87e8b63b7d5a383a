import Testing
import Weighing

@testable import EvdevInput

/// What a device is found to be able to show; that it does is tested on a real kernel.
@Suite struct FeedbackTests {
  @Test(
    arguments: [
      ([], nil), ([8], 8), ([0, 1, 2, 8], 8), ([0, 7], 7), ([0, 1, 2], 2), ([15], 15),
    ] as [(Set<UInt16>, UInt16?)]) func light(codes: Set<UInt16>, light: UInt16?)
  {
    #expect(FeedbackMeans(PadDescription(name: "", otherCodes: [.led: codes])).light == light)
  }

  @Test(
    arguments: [
      ([0], nil), ([0, 1], .bell), ([1, 2], .tone),
    ] as [(Set<UInt16>, FeedbackMeans.Sound?)]) func sound(codes: Set<UInt16>, sound: FeedbackMeans.Sound?)
  {
    #expect(FeedbackMeans(PadDescription(name: "", otherCodes: [.sound: codes])).sound == sound)
  }

  @Test(
    arguments: [
      ([0x51, 0x60], nil), ([0x50, 0x51], .rumble), ([0x4f], .click), ([0x4f, 0x50], .click),
    ] as [(Set<UInt16>, FeedbackMeans.Shake?)]) func shake(codes: Set<UInt16>, shake: FeedbackMeans.Shake?)
  {
    #expect(FeedbackMeans(PadDescription(name: "", otherCodes: [.forceFeedback: codes])).shake == shake)
  }

  @Test func aPadWithNothing() {
    let means = FeedbackMeans(PadDescription(name: "", otherCodes: [.synchronization: [0, 1, 3], .led: []]))
    #expect(means.isEmpty)
  }
}
