import Testing
import Weighing

@testable import Journal

/// Stored containers in the journal's file, and what the audit trail says about them.
@Suite struct ContainerTests {
  @Test func containersAreReadAgainInTheirOrder() throws {
    let folder = try Folder()
    let journal = Journal.at(folder.file())
    try journal.begin(configurationHash: "abc", calibrationHash: "def", at: moment())
    let (jug, cup) = (try #require(ContainerName("jug")), try #require(ContainerName("Täschen \"1\"")))
    #expect(try journal.containers().isEmpty)
    try journal.store(jug, tare: Grams(112.5), at: moment(1))
    try journal.store(cup, tare: Grams(30), at: moment(2))
    try journal.store(jug, tare: Grams(113.25), at: moment(3))
    let stored = [Container(name: jug, tare: Grams(113.25)), Container(name: cup, tare: Grams(30))]
    #expect(try journal.containers() == stored)
    try journal.store(jug, tare: nil, at: moment(4))
    #expect(try Journal.at(folder.file()).containers() == [Container(name: cup, tare: Grams(30))])
    let details = try journal.audit().filter { $0.entry.kind == .container }.map(\.entry.detail)
    #expect(
      details == [
        #"{"name":"jug","tare_g":112.5}"#, #"{"name":"Täschen \"1\"","tare_g":30}"#, #"{"name":"jug","tare_g":113.25}"#,
        #"{"name":"jug","removed":true}"#,
      ])
    #expect(try journal.verify().isClean)
  }

  @Test func aRowThatIsNoContainerIsOmitted() throws {
    let folder = try Folder()
    let journal = Journal.at(folder.file())
    try journal.store(try #require(ContainerName("jug")), tare: Grams(112.5), at: moment())
    try tamper(folder.file(), "INSERT INTO containers (name, tare_g) VALUES ('', 1), ('a', -1), ('b', 1e99)")
    #expect(try Journal.at(folder.file()).containers().map(\.name.description) == ["jug"])
  }
}
