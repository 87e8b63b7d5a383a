import Languages
import Messages
import Recordings
import Weighing

extension InteractivePad {
  /// The most loads on the pad, and the largest mass or force in grams.
  private static let mostLoads = 16
  private static let largest = 5000.0
  private static let maximumBytes = 4096

  /// Touches the pad as a page asks: `{"plugged": true, "noise_g": 0, "loads": [{"id": 1, "mass_g": 50, "x": 0.4, "y": 0.5}, ...],
  /// "finger": {"force_g": 180, "x": 0.9, "y": 0.7}}`, or `{"scripted": true}` to return to the script. Positions are
  /// fractions of the pad, y downward; fields may be omitted.
  ///
  /// - Returns: What is wrong with the payload; `nil` if it was accepted.
  func set(_ payload: [UInt8], at now: Instant) -> Sentence? {
    guard let json = try? JSONValue(payload, maximumBytes: Self.maximumBytes), case .object(let fields) = json else {
      return .expected(.acceptsObjectOf, ["maximum": Self.maximumBytes])
    }
    let known = ["scripted", "plugged", "noise_g", "loads", "finger"]
    if let unknown = fields.keys.first(where: { !known.contains($0) }) {
      return Sentence(.payloadUnknownField, ["name": String(unknown.unicodeScalars.prefix(32))])
    }
    if json["scripted"]?.isTrue == true {
      set(State(), at: now)
      return nil
    }
    guard let state = Self.state(json) else {
      return .expected(.acceptsPadState, ["limit": Self.mostLoads, "most": numberText(Self.largest)])
    }
    set(state, at: now)
    return nil
  }

  private static func state(_ json: JSONValue) -> State? {
    var state = State(isScripted: false)
    if let plugged = json["plugged"] {
      guard let isPlugged = plugged.isTrue else { return nil }
      state.isPlugged = isPlugged
    }
    if let noise = json["noise_g"] {
      guard let noise = mass(noise) else { return nil }
      state.loads.noise = noise
    }
    if let loads = json["loads"] {
      guard case .array(let list) = loads, list.count <= mostLoads else { return nil }
      for load in list {
        guard let mass = load["mass_g"].flatMap(mass), let position = position(load),
          case .number(let number)? = load["id"], let id = Int(exactly: number),
          !state.loads.loads.contains(where: { $0.id == id })
        else { return nil }
        state.loads.loads.append(.init(id: id, mass: mass, position: position))
      }
    }
    if let finger = json["finger"], finger != .null {
      guard let force = finger["force_g"].flatMap(mass), let position = position(finger) else { return nil }
      state.loads.finger = .init(force: force, position: position)
    }
    return state
  }

  private static func mass(_ value: JSONValue) -> Grams? {
    guard case .number(let grams) = value, (0...largest).contains(grams) else { return nil }
    return Grams(grams)
  }

  private static func position(_ value: JSONValue) -> Position? {
    guard case .number(let x)? = value["x"], case .number(let y)? = value["y"], (0...1).contains(x),
      (0...1).contains(y)
    else { return nil }
    return Position(x: x, y: y)
  }
}

extension InteractivePad.State {
  /// The state as JSON: `scripted`, and the fields of a request.
  var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.field("scripted", isScripted)
      json.field("plugged", isPlugged)
      json.field("noise_g", loads.noise.value)
      json.array("loads", loads.loads) { json, load in
        json.object { json in
          json.field("id", load.id)
          write("mass_g", load.mass, load.position, &json)
        }
      }
      if let finger = loads.finger {
        json.object("finger") { write("force_g", finger.force, finger.position, &$0) }
      } else {
        json.field("finger", String?.none)
      }
    }
    return json.bytes
  }

  private func write(_ key: String, _ mass: Grams, _ position: Position, _ json: inout JSONWriter) {
    json.field(key, mass.value)
    json.field("x", position.x)
    json.field("y", position.y)
  }
}
