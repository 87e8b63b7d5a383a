import Glibc

/// Executes commands on the test pad and on a second reader of its events.
struct Bench: ~Copyable {
  private var pad: Pad?
  private var reader: SecondReader?

  /// Executes one command and returns the words of its answer.
  mutating func perform(_ command: Command) throws(PadError) -> [String] {
    switch command.verb {
    case "create":
      guard pad == nil else { throw PadError("there is a pad already") }
      let made = try Pad(PadShape(command.words))
      let node = made.node
      pad = consume made
      return ["node=\(node)"]
    case "destroy":
      guard pad != nil else { throw PadError("there is no pad") }
      pad = nil
      return []
    case "frame":
      try send(contacts(command.words))
      return []
    case "corners":
      var forces: [Int32] = []
      for index in command.words.indices { forces.append(try command.number(index, "FORCE")) }
      guard try pad?.press(forces) != nil else { throw PadError("there is no pad") }
      return []
    case "key":
      let value: Int32 = try command.number(1, "VALUE")
      guard try pad?.key(command.word(0, "NAME"), value) != nil else { throw PadError("there is no pad") }
      return []
    case "type":
      guard try pad?.type(command.word(0, "TEXT")) != nil else { throw PadError("there is no pad") }
      return []
    case "ramp": return try ramp(command)
    case "flood": return try flood(command)
    case "play": return try play(command)
    case "feedback":
      let milliseconds: Int32 = try command.number(0, "MS", missing: 0)
      guard let answers = try pad?.feedback(milliseconds: milliseconds) else { throw PadError("there is no pad") }
      return answers
    case "open":
      reader = try SecondReader(command.word(0, "NODE"))
      return []
    case "seen":
      guard let count = try reader?.count() else { throw PadError("nothing is open") }
      return ["events=\(count)"]
    case "grab": return [try SecondReader(command.word(0, "NODE")).couldGrab() ? "free" : "busy"]
    case "range":
      let range = PadShape.Axis(
        minimum: try command.number(2, "MINIMUM"), maximum: try command.number(3, "MAXIMUM"),
        resolution: try command.number(4, "RESOLUTION", missing: 0))
      try SecondReader(command.word(0, "NODE")).setRange(command.word(1, "AXIS"), range)
      return []
    case "await":
      try awaitFile(command.word(0, "FILE"), seconds: command.number(1, "SECONDS", missing: 60))
      return []
    case _: throw PadError("no such command; see --help")
    }
  }

  private func contacts(_ words: [String]) throws(PadError) -> [Contact] {
    var contacts: [Contact] = []
    for word in words { contacts.append(try Contact(word)) }
    return contacts
  }

  private mutating func send(_ contacts: [Contact]) throws(PadError) {
    guard try pad?.touch(contacts) != nil else { throw PadError("there is no pad") }
  }

  private mutating func ramp(_ command: Command) throws(PadError) -> [String] {
    let count: Int = try command.number(0, "COUNT")
    let rate: Double = try command.number(1, "HZ")
    let from = try Contact(command.word(2, "FROM"))
    let end = try Contact(command.word(3, "TO"))
    guard count > 0, rate > 0 else { throw PadError("COUNT and HZ must be positive") }
    let pacer = Pacer()
    for step in 1...count {
      pacer.wait(until: Double(step - 1) / rate)
      try send([from.moved(to: end, step: step, of: count)])
    }
    return ["seconds=\(pacer.elapsed)"]
  }

  private mutating func flood(_ command: Command) throws(PadError) -> [String] {
    let count: Int = try command.number(0, "COUNT")
    let end = try contacts(Array(command.words.dropFirst()))
    let pacer = Pacer()
    for step in 0..<max(0, count) {
      try send(
        end.map { contact in
          var moving = contact
          moving.pressure = 1 + Int32(step % 100)
          return moving
        })
    }
    try send(end)
    return ["frames=\(count + 1)", "seconds=\(pacer.elapsed)"]
  }

  private mutating func play(_ command: Command) throws(PadError) -> [String] {
    let recording = try Recording(path: command.word(0, "FILE"))
    let speed: Double = try command.number(1, "SPEED", missing: 1)
    let pacer = Pacer()
    for frame in recording.frames {
      if speed > 0 { pacer.wait(until: frame.time / speed) }
      guard try pad?.send(frame.events) != nil else { throw PadError("there is no pad") }
    }
    return ["frames=\(recording.frames.count)", "seconds=\(pacer.elapsed)"]
  }

  /// Waits for a file that another program creates, by polling every 10 ms.
  private func awaitFile(_ path: String, seconds: Double) throws(PadError) {
    let pacer = Pacer()
    while access(path, F_OK) != 0 {
      guard pacer.elapsed < seconds else { throw PadError("\(path) did not appear within \(seconds) s") }
      pacer.wait(until: pacer.elapsed + 0.01)
    }
  }
}
