import Configuration
import Messages
import Testing

@testable import Appliance

/// Requests of the page to change settings, and reloads that wait.
@Suite struct SettingsRequestTests {
  private func request(_ text: String) throws(SettingsRequestError) -> SettingsRequest {
    try SettingsRequest(Array(text.utf8))
  }

  @Test func readsChangesAndUndo() throws {
    let change = try request(
      #"{"revision": "a1", "set": {"device.name": "Bench", "actions": []}, "reset": ["scale.unit"]}"#)
    var expected = SettingsChange()
    expected.values = ["device.name": .string("Bench"), "actions": .array([])]
    expected.resets = ["scale.unit"]
    #expect(change.revision == "a1" && change.content == .change(expected))
    #expect(try request(#"{"revision": "a1", "undo": true}"#).content == .undo)
  }

  @Test(arguments: [
    ("[]", "expected a JSON object of at most"), ("{", "expected a JSON object of at most"), ("{}", "revision"),
    (#"{"revision": 1}"#, "revision"), (#"{"revision": "a", "values": {}}"#, "unknown field values"),
    (#"{"revision": "a", "set": []}"#, "set: expected an object"),
    (#"{"revision": "a", "reset": "scale.unit"}"#, "reset: expected a list"),
    (#"{"revision": "a", "reset": [1]}"#, "reset: expected a list"),
    (#"{"revision": "a", "undo": false}"#, "undo: expected true"),
    (#"{"revision": "a", "undo": true, "set": {}}"#, "undo: not together with set"),
    (#"{"revision": "a", "set": {"actions": []}, "reset": ["actions"]}"#, "actions: not together with reset"),
  ])
  func refuses(_ text: String, _ words: String) {
    let error = #expect(throws: SettingsRequestError.self) { try request(text) }
    #expect(error?.sentence.description.contains(words) == true, "\(error?.sentence.description ?? "")")
  }

  @Test func aReloadWaitsUntilItIsApplied() async {
    let requests = ReloadRequests()
    await confirmation { isApplied in
      requests.reload { isApplied() }
      let due = requests.removeDue(withSignals: true)
      #expect(due.reason == .save && due.waiting.count == 1)
      for completion in due.waiting { completion() }
    }
    // After the end nothing waits.
    requests.end()
    await confirmation { isCalled in requests.reload { isCalled() } }
  }
}
