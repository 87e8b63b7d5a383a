import Testing
import Weighing

@testable import Journal

/// The state of the scale in the journal's file.
@Suite struct ScaleStateTests {
  @Test func theLastStateIsReadAgain() throws {
    let folder = try Folder()
    let state = ScaleMemory(
      tare: Grams(112.53), tareEpoch: 7, plateCounts: 103.25, calibratedZeroDate: "2026-11-27T18:00:00.000Z",
      pad: "pad|x")
    let journal = Journal.at(folder.file())
    try journal.begin(configurationHash: "abc", calibrationHash: "def", at: moment())
    #expect(try journal.scaleState() == .none)
    try journal.store(ScaleMemory(tare: Grams(1), tareEpoch: 6))
    try journal.store(state)
    #expect(try journal.scaleState() == .state(state))
    #expect(try Journal.at(folder.file()).scaleState() == .state(state))
    #expect(try journal.verify().faults == [], "it is no part of the chain")
  }

  /// Epochs are reserved until a state is stored that reserves none.
  @Test func reservedEpochsAreRead() throws {
    let folder = try Folder()
    let journal = Journal.at(folder.file())
    try journal.store(ScaleMemory(tareEpoch: 7), reserving: 1000)
    #expect(try journal.scaleState() == .state(ScaleMemory(tareEpoch: 7, highestEpoch: 1007)))
    try journal.store(ScaleMemory(tareEpoch: 7, highestEpoch: 1007))
    #expect(try journal.scaleState() == .state(ScaleMemory(tareEpoch: 7, highestEpoch: 1007)))
  }

  @Test(arguments: ["tare_g = 9e99", "tare_epoch = -1", "plate_counts = -5", "tare_g = 1e999", "highest_epoch = 5"])
  func aDamagedStateIsNotRestored(_ damage: String) throws {
    let folder = try Folder()
    let journal = Journal.at(folder.file())
    try journal.begin(configurationHash: "abc", calibrationHash: "def", at: moment())
    try journal.store(ScaleMemory(tare: Grams(1), tareEpoch: 6))
    try tamper(folder.file(), "UPDATE scale_state SET \(damage)")
    #expect(try Journal.at(folder.file()).scaleState() == .damaged)
    try journal.store(ScaleMemory(tareEpoch: 7))
    #expect(try journal.scaleState() == .state(ScaleMemory(tareEpoch: 7)))
  }
}
