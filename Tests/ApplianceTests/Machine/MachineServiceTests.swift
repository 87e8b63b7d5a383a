import Linux
import Messages
import Servers
import Testing
import Weighing

@testable import Appliance

/// The page and root, with the files between them.
@Suite struct MachineServiceTests {
  private static func state(_ machine: PlayedMachine, mayAct: Bool = false) async -> MachineAnswer {
    await completed { machine.service.source.state(mayAct, $0) }
  }

  private static func perform(
    _ machine: PlayedMachine, _ payload: String, mayAct: Bool = false
  ) async -> MachineAnswer {
    await completed { machine.service.source.perform(Array(payload.utf8), mayAct, $0) }
  }

  private static func json(_ answer: MachineAnswer) throws -> JSONValue {
    guard case .state(let bytes) = answer else { throw Unexpected(answer: answer) }
    return try JSONValue(bytes, maximumBytes: 1 << 17)
  }

  private struct Unexpected: Error { let answer: MachineAnswer }

  /// The newcomer's path: without the right to act until it is finished, and not after it.
  @Test func performsWhatANewcomerAsksFor() async throws {
    let machine = try PlayedMachine(PlayedMachine.state(isSetUp: false)) { request in
      PlayedMachine.state(
        isSetUp: request["do"] != "set", answer: PlayedMachine.done(request), more: #","name":"\#(request["name"])""#
      )
    }
    let shown = try Self.json(await Self.state(machine))
    #expect(shown["ok"]?.isTrue == true && shown["waiting"]?.isTrue == false && shown["is_set_up"]?.isTrue == false)
    let answer = await Self.perform(machine, #"{"do":"set","set":{"name":"Küche","wifi":"a = b","wifi_password":""}}"#)
    let set = try Self.json(answer)
    #expect(set["name"]?.text == "Küche" && set["waiting"]?.isTrue == false && set["network"]?["wifi"]?.text == "Nest")
    let finished = await Self.perform(machine, #"{"do":"finish"}"#)
    #expect(finished == .state(MachineState.hidden), "the state is private now")
    #expect(await Self.state(machine) == .forbidden)
    #expect(await Self.perform(machine, #"{"do":"scan"}"#) == .forbidden)
    #expect(await Self.perform(machine, "{") == .forbidden, "a stranger is not told what is wrong")
    #expect(try Self.json(await Self.state(machine, mayAct: true))["is_set_up"]?.isTrue == true)
    _ = try Self.json(await Self.perform(machine, #"{"do":"scan"}"#, mayAct: true))
    #expect(machine.told == [false, true])
    let requests = machine.requests
    #expect(requests.map { $0["do"] } == ["set", "finish", "scan"] && Set(requests.map { $0["id"] }).count == 3)
    let id = try #require(requests.first?["id"])
    #expect(UInt32(id) != nil)
    #expect(requests.first?.text == "id = \(id)\ndo = set\nname = Küche\nwifi = a = b\nwifi_password = \n")
  }

  @Test func saysAtWhichKeyRootRefuses() async throws {
    let machine = try PlayedMachine(PlayedMachine.state(isSetUp: false)) { request in
      let fault = request["do"] == "set" ? #","key":"wifi_password","reason":"at least 8 characters"# + "\"" : ""
      return PlayedMachine.state(isSetUp: false, answer: #"{"id":"\#(request["id"])","ok":false\#(fault)}"#)
    }
    let refused = await Self.perform(machine, #"{"do":"set","set":{"wifi":"Nest","wifi_password":"short"}}"#)
    #expect(
      refused == .invalid([SettingsFault(path: "wifi_password", message: .verbatim("at least 8 characters"))]))
    #expect(
      await Self.perform(machine, #"{"do":"back"}"#) == .invalid([SettingsFault(path: "", message: .verbatim(""))]))
  }

  /// Root that is not there, takes the request away and dies, answers another request, or writes half a state.
  @Test(arguments: [nil, "", #"{"is_set_up":false,"answer":{"id":"0","ok":true}}"#, #"{"is_set_up":false,"answer":"#])
  func waitsOnlyForATime(_ state: String?) async throws {
    let machine = try PlayedMachine(
      PlayedMachine.state(isSetUp: false), patience: .milliseconds(300),
      root: state.map { state in { @Sendable _ in state.isEmpty ? nil : state } })
    #expect(await Self.perform(machine, #"{"do":"scan"}"#) == .silent)
    #expect(!machine.hasRequest, "root does not perform it later")
    // Half a state has no owner's consent.
    let isDamaged = state?.hasSuffix(":") == true
    #expect(await Self.perform(machine, #"{"do":"scan"}"#) == (isDamaged ? .forbidden : .silent))
  }

  @Test func hasOnePendingRequest() async throws {
    let machine = try PlayedMachine(PlayedMachine.state(isSetUp: false))
    async let first = Self.perform(machine, #"{"do":"scan"}"#, mayAct: true)
    while try Self.json(await Self.state(machine))["waiting"]?.isTrue != true {}
    #expect(await Self.perform(machine, #"{"do":"update"}"#) == .busy)
    // Without an answer, it ends with the appliance.
    machine.service.stop()
    #expect(await first == .silent)
  }

  /// A request of an earlier run, whose client is gone.
  @Test func removesWhatAnEarlierRunHasAskedFor() async throws {
    let machine = try PlayedMachine(PlayedMachine.state(isSetUp: false), left: "id = 1\ndo = reset\n")
    _ = await Self.state(machine)
    #expect(!machine.hasRequest)
  }

  @Test func withoutAFolderItIsSilent() async throws {
    let machine = try PlayedMachine(nil, hasFolder: false)
    #expect(await Self.state(machine) == .forbidden)
    #expect(await Self.state(machine, mayAct: true) == .silent)
    #expect(await Self.perform(machine, #"{"do":"scan"}"#, mayAct: true) == .silent)
    #expect(machine.told == [true] && !machine.hasRequest)
  }

  /// What is damaged, missing or unclear counts as set up.
  @Test(arguments: [
    nil, "", " ", "{", "[]", "false", "{}", #"{"is_set_up":"false"}"#, #"{"is_set_up":null}"#, #"{"is_set_up":0}"#,
    #"{"is_set_up":false"#, #"{"is_set_up":false,"is_set_up":false}"#, #"{"state":{"is_set_up":false}}"#,
    #"{"is_set_up":false,"pad":"\#(String(repeating: "x", count: 1 << 16))"}"#, #"{"is_set_up":true}"#,
  ])
  func failsClosed(_ state: String?) async throws {
    let machine = try PlayedMachine(state)
    #expect(await Self.state(machine) == .forbidden)
    #expect(await Self.perform(machine, #"{"do":"finish"}"#) == .forbidden)
    #expect(!machine.hasRequest && machine.told == [true])
  }

  /// The check has the state of the moment in which the request is performed, not the one that the viewers know.
  @Test func aRequestThatArrivesAfterTheOwnerIsRefused() async throws {
    let machine = try PlayedMachine(PlayedMachine.state(isSetUp: false))
    _ = try Self.json(await Self.state(machine))
    try machine.write(PlayedMachine.state(isSetUp: true))
    #expect(await Self.perform(machine, #"{"do":"set","set":{"ssh_key":"ssh-ed25519 AAAA"}}"#) == .forbidden)
    #expect(!machine.hasRequest)
  }

  /// An owner that comes while root performs the request of a client without the right: the client learns nothing of the state.
  @Test func anAnswerAfterTheOwnerHasNoState() async throws {
    let machine = try PlayedMachine(PlayedMachine.state(isSetUp: false)) { request in
      PlayedMachine.state(isSetUp: true, answer: PlayedMachine.done(request))
    }
    #expect(await Self.perform(machine, #"{"do":"scan"}"#) == .state(MachineState.hidden))
  }

  /// A state of root with white space, and one without fields.
  @Test(arguments: ["{}", " {\n} ", "\n { \"is_set_up\" : true }\n"]) func passesAnyStateOn(_ text: String) throws {
    let state = try #require(MachineState(Array(text.utf8)))
    for isWaiting in [false, true] {
      let bytes = state.json(isWaiting: isWaiting, pads: Array(#"[{"pad":"iio:hx711"}]"#.utf8))
      let json = try JSONValue(bytes, maximumBytes: 1 << 17)
      #expect(json["ok"]?.isTrue == true && json["waiting"]?.isTrue == isWaiting)
      #expect(String(decoding: bytes, as: UTF8.self).contains(#""pads":[{"pad":"iio:hx711"}]"#))
      #expect(json["is_set_up"]?.isTrue == (text.contains("is_set_up") ? true : nil))
    }
  }

  @Test(
    arguments: [
      ([:], nil), (["GRAMPAD_MACHINE": "/run/m"], nil), (["RUNTIME_DIRECTORY": "/run/g"], nil),
      (["GRAMPAD_MACHINE": "", "RUNTIME_DIRECTORY": "/run/g"], nil),
      (
        ["GRAMPAD_MACHINE": "/run/m", "RUNTIME_DIRECTORY": "/run/g:/run/h"],
        MachineFiles(folder: "/run/m", runtimeFolder: "/run/g")
      ),
    ] as [([String: String], MachineFiles?)])
  func isThereInTheImageOnly(_ environment: [String: String], _ files: MachineFiles?) {
    #expect(MachineFiles.inherited(environment) == files)
  }
}
