import Foundation
import Messages
import Testing

/// The configuration files for other programs in `config/` match the messages of the appliance.
@Suite struct ReadyMadeTests {
  private let api: AsyncAPI

  init() throws { api = try AsyncAPI.read.get() }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: configurationFolder.appending(path: name), encoding: .utf8)
  }

  private func json(_ name: String) throws -> JSONValue {
    try JSONValue(file: configurationFolder.appending(path: name))
  }

  /// The address of the channel of a topic under the default prefix; `+` stands for any id.
  private func address(_ topic: String) -> String {
    for base in ["grampad/grampad/", "grampad/+/"] where topic.hasPrefix(base) {
      return AsyncAPI.base + topic.dropFirst(base.count)
    }
    return topic
  }

  // MARK: Home Assistant

  /// The cards that Home Assistant brings along; home-assistant.io/dashboards/cards.
  private static let cards: Set = [
    "button", "entities", "gauge", "glance", "grid", "history-graph", "logbook", "markdown", "tile", "vertical-stack",
  ]

  @Test func theDashboardHasHomeAssistantsCardsAndOurEntities() throws {
    let text = try text("home-assistant-dashboard.yaml")
    let dashboard = try #require(JSONValue(yaml: text))
    func cards(in value: JSONValue) -> [JSONValue] {
      (value["cards"]?.items ?? []).flatMap { [$0] + cards(in: $0) }
    }
    let all = try #require(dashboard["views"]?.items).flatMap(cards)
    #expect(all.count > 10)
    for card in all { #expect(Self.cards.contains(card["type"]?.text ?? "none"), "\(card)") }

    let device = HomeAssistantDevice(
      topics: Topics(prefix: "grampad", id: "grampad"), name: "Scale on the bench", version: "1", decimals: 0,
      quickActions: [])
    let announced = try JSONValue(device.announcement(on: "t").payload, maximumBytes: 1 << 16)
    let components = try #require(announced["components"])
    // Those that the user has to enable first are not on the dashboard.
    let entities = try Set(
      (components.keys ?? []).filter { components[$0]?["enabled_by_default"] == nil }.map { key in
        try #require(components[key]?["default_entity_id"]?.text)
      })
    let expression = /(?:sensor|binary_sensor|button|event)\.grampad_[a-z_]+/
    let named = Set(text.matches(of: expression).map { String($0.output) })
    #expect(named.count > 15)
    #expect(named.subtracting(entities).isEmpty)
    for name in ["spoolman", "grocy"] {
      let package = try self.text("home-assistant-\(name).yaml")
      #expect(package.contains("entity_id: event.grampad_weighing\n"))
    }
    #expect(entities.contains("event.grampad_weighing"))
  }

  // MARK: Node-RED

  /// Nodes that Node-RED brings along; nodered.org/docs/user-guide/nodes.
  private static let nodes: Set = [
    "tab", "mqtt-broker", "mqtt in", "mqtt out", "function", "file", "debug", "rbe", "switch", "inject",
  ]

  @Test func theFlowIsWhole() throws {
    let nodes = try #require(try json("node-red-flow.json").items)
    let ids = nodes.compactMap { $0["id"]?.text }
    #expect(Set(ids).count == nodes.count && nodes.count > 10)
    for node in nodes {
      let type = try #require(node["type"]?.text)
      #expect(Self.nodes.contains(type), "\(type)")
      if let tab = node["z"]?.text { #expect(ids.contains(tab)) }
      if let broker = node["broker"]?.text, type != "mqtt-broker" { #expect(ids.contains(broker)) }
      let targets = (node["wires"]?.items ?? []).flatMap { $0.items ?? [] }.compactMap(\.text)
      #expect(targets.allSatisfy(ids.contains), "\(node)")
      if let outputs = node["outputs"]?.number { #expect(node["wires"]?.items?.count == Int(outputs)) }
      if type == "mqtt in" { _ = try api.channel(address(try #require(node["topic"]?.text))) }
    }
  }

  /// What the flow's buttons send is a command that the appliance takes.
  @Test func theFlowsButtonsSendCommands() throws {
    let nodes = try #require(try json("node-red-flow.json").items)
    let topics = Topics(prefix: "grampad", id: "grampad")
    let buttons = nodes.filter { $0["type"]?.text == "inject" }
    #expect(!buttons.isEmpty)
    for button in buttons {
      let target = try #require(button["wires"]?.items?.first?.items?.first?.text)
      let sender = try #require(nodes.first { $0["id"]?.text == target })
      let payload = Array(try #require(button["payload"]?.text).utf8)
      let message = IncomingMessage(topic: try #require(sender["topic"]?.text), payload: payload, isRetained: false)
      let command = try #require(Command(message, topics: topics))
      #expect(throws: Never.self) { try command.order.get() }
      #expect(sender["retain"]?.text == "false", "a retained command is refused")
    }
  }

  // MARK: Telegraf and Grafana

  /// The fields of a payload as Telegraf flattens them, `outbox_waiting`, with whether they are numbers.
  private func fields(_ topic: String) throws -> [String: Bool] {
    let messages = try #require(try api.channel(address(topic)).channel["messages"])
    let place = try #require(messages.keys?.first.flatMap { messages[$0]?["$ref"]?.text })
    var fields: [String: Bool] = [:]
    func collect(_ schema: JSONValue, _ name: String) throws {
      if let reference = schema["$ref"]?.text { return try collect(at(reference), name) }
      for part in ["anyOf", "oneOf"].flatMap({ schema[$0]?.items ?? [] }) { try collect(part, name) }
      for key in schema["properties"]?.keys ?? [] {
        try collect(try #require(schema["properties"]?[key]), name.isEmpty ? key : name + "_" + key)
      }
      let types = schema["type"]?.items?.compactMap(\.text) ?? [schema["type"]?.text ?? ""]
      if schema["properties"] == nil, !name.isEmpty, types != ["null"] {
        fields[name] = fields[name] == true || types.contains("number") || types.contains("integer")
      }
    }
    try collect(at(place + "/payload"), "")
    return fields
  }

  private func at(_ place: String) throws -> JSONValue {
    var value = api.document
    for name in place.split(separator: "/").dropFirst() { value = try #require(value[String(name)], "\(place)") }
    return value
  }

  /// What the tables of telegraf.conf set, by the measurement.
  private func measurements() throws -> [String: [String: TOMLValue]] {
    var found: [String: [String: TOMLValue]] = [:]
    var name = ""
    for table in try TOMLTable.read(text("telegraf.conf")) {
      if table.name == "processors.starlark" { continue }
      if table.name == "inputs.mqtt_consumer" {
        guard case .text(let text)? = table.values["name_override"] else { continue }
        name = text
        found[name] = table.values
      } else {
        #expect(table.name == "inputs.mqtt_consumer.topic_parsing")
        #expect(table.values["topic"] == found[name]?["topics"]?.items?.first)
        #expect(table.values["tags"] == .text("_/device/_"))
      }
    }
    return found
  }

  @Test func telegrafReadsWhatIsSent() throws {
    let measurements = try measurements()
    #expect(Set(measurements.keys) == ["grampad_reading", "grampad_weighing", "grampad_health"])
    for (name, values) in measurements {
      guard case .text(let topic)? = values["topics"]?.items?.first else { throw TOMLTable.Fault(line: name) }
      let fields = try fields(topic)
      for key in ["tag_keys", "json_string_fields"] {
        for case .text(let field) in values[key]?.items ?? [] { #expect(fields[field] == false, "\(name): \(field)") }
      }
      #expect(values["data_format"] == .text("json") && values["json_time_key"] == .text("time"))
      #expect(fields["time"] == false)
    }
  }

  @Test func theBoardAsksForWhatTelegrafWrites() throws {
    let board = try json("grafana-dashboard.json")
    let panels = try #require(board["panels"]?.items)
    #expect(panels.count > 5 && Set(panels.compactMap { $0["id"]?.number }).count == panels.count)
    let measurements = try measurements()
    var places: Set<[Int]> = []
    for panel in panels {
      let grid = try #require(panel["gridPos"])
      let (x, y, w, h) = (
        grid["x"]?.number ?? -1, grid["y"]?.number ?? -1, grid["w"]?.number ?? 0, grid["h"]?.number ?? 0
      )
      #expect(x >= 0 && y >= 0 && w > 0 && h > 0 && x + w <= 24)
      for column in Int(x)..<Int(x + w) {
        for row in Int(y)..<Int(y + h) { #expect(places.insert([column, row]).inserted, "panels overlap") }
      }
      for target in try #require(panel["targets"]?.items) {
        let query = try #require(target["query"]?.text)
        let name = try #require(query.firstMatch(of: /FROM "([a-z_]+)"/)?.1).description
        let tags = measurements[name]?["tag_keys"]?.items ?? []
        guard case .text(let topic)? = measurements[name]?["topics"]?.items?.first else {
          Issue.record("no measurement \(name)")
          continue
        }
        let fields = try fields(topic)
        let texts = (measurements[name]?["json_string_fields"]?.items ?? [])
        for match in query.prefix(upTo: try #require(query.firstRange(of: " FROM")).lowerBound).matches(
          of: /"([a-z_]+)"/)
        {
          let field = String(match.1)
          let isOwn = query.contains("AS \"\(field)\"")
          #expect(isOwn || fields[field] == true || (texts + tags).contains(.text(field)), "\(query)")
        }
      }
    }
  }
}
