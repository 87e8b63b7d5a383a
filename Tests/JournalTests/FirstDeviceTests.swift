import Testing
import Weighing

@testable import Journal

/// The `device.id` under which a journal was made.
@Suite struct FirstDeviceTests {
  @Test func theFirstOneStays() throws {
    let folder = try Folder()
    let journal = Journal.at(folder.file())
    #expect(try journal.firstDevice("kitchen") == "kitchen")
    #expect(try journal.firstDevice("copy") == "kitchen")
    #expect(try Journal.at(folder.file()).firstDevice("copy") == "kitchen")
    #expect(try Journal.at(folder.file("other")).firstDevice("copy") == "copy")
    #expect(try journal.verify().isClean)
  }
}
