import Languages
import Messages
import Weighing

extension ScaleSettings.Stopping: ConfigurationSection {
  static var keys: [Key<Self>] {
    Key(
      "stop_ahead", \.stopsAhead, .flag,
      "Report the event target_stop for every target, as soon as the load will have reached the target after the dead time. "
        + "A request can say otherwise with stop_ahead. A dose is always stopped ahead.")
    Key(
      "dead_time_ms", \.deadTime, .milliseconds(0...10_000),
      "The time from a stop until the last mass has arrived, in milliseconds. For each label it is learned from the doses."
    )
  }
}

extension OutputSwitch {
  /// An example for the documentation.
  static let example = OutputName("grinder").map { Self(output: Output(name: $0), topic: "cmnd/grinder/POWER") }
}

extension ValueRule<[OutputSwitch]> {
  /// Outputs with different names and topics.
  static var outputs: Self {
    .list(
      atMost: OutputSwitch.maximumCount, of: "outputs {name: ..., topic: ..., on: ..., off: ..., max_flow_g_s: ...}",
      ValueRule<OutputSwitch>.output)
  }
}

extension ValueRule<OutputSwitch> {
  /// An output whose name and topic none of the other outputs has.
  fileprivate static func output(after others: [OutputSwitch]) -> Self {
    let expected = Sentence(.acceptsOutput, ["form": "{name: ..., topic: ...}"])
    let (nameRule, topicRule) = (ValueRule<OutputName>.outputName, ValueRule<String>.topic)
    let payloadRule = ValueRule<String>.text(maximumBytes: OutputSwitch.maximumPayloadBytes)
    let flowRule = ValueRule<Double>.number(above: 0, through: 10_000)
    return ValueRule(
      expected,
      schema: .objectSchema(
        [
          "name": nameRule.schema().described("Name of the output, in commands and events."),
          "topic": topicRule.schema().described("The topic that switches the plug or valve."),
          "on": payloadRule.schema().described("The payload that switches it on."),
          "off": payloadRule.schema().described("The payload that switches it off."),
          "max_flow_g_s": flowRule.schema().described("A faster flow ends a dose, in grams per second."),
        ], required: ["name", "topic"]),
      output: {
        .record([
          "name": nameRule.output($0.output.name), "topic": topicRule.output($0.topic), "on": payloadRule.output($0.on),
          "off": payloadRule.output($0.off), "max_flow_g_s": flowRule.output($0.output.maximumFlow),
        ])
      }
    ) { node, reporter in
      var (name, topic): (OutputName?, String?)
      var (on, off, flow) = (OutputSwitch.usualOn, OutputSwitch.usualOff, Output.usualMaximumFlow)
      var item = SectionReader(item: node, expected, reporter)
      item.require("name", nameRule, into: &name)
      item.require("topic", topicRule, into: &topic)
      item.read("on", payloadRule, into: &on)
      item.read("off", payloadRule, into: &off)
      item.read("max_flow_g_s", flowRule, into: &flow)
      if let name, others.contains(where: { $0.output.name == name }) {
        item.report("name", .configOutputTaken, ["name": name])
      }
      // Also if only their normalization differs: the link's queue compares topics as texts, too.
      if let topic, let other = others.first(where: { $0.topic == topic }) {
        item.report("topic", .configTopicTaken, ["name": other.output.name])
      }
      if on.utf8.elementsEqual(off.utf8), item.isValid("on"), item.isValid("off") {
        item.report(item.isGiven("off") ? "off" : "on", .configSamePayload)
      }
      guard item.finish(), let name, let topic else { return nil }
      return OutputSwitch(output: Output(name: name, maximumFlow: flow), topic: topic, on: on, off: off)
    }
  }
}

extension ValueRule<OutputName> {
  /// The name of an output.
  fileprivate static var outputName: Self {
    let expected = Sentence(.acceptsActionType, ["maximum": OutputName.maximumBytes])
    return ValueRule(
      expected,
      schema: ["type": "string", "pattern": .text("^[A-Za-z0-9_-]{1,\(OutputName.maximumBytes)}$")],
      output: { .text($0.description) }
    ) { node, reporter in
      guard case .text(let text) = node.scalar else {
        return reporter.reportUnexpected(node, expected: expected, suggestion: node.numberAsText)
      }
      return OutputName(text) ?? reporter.reportUnexpected(node, expected: expected, suggestion: proposal(for: text))
    }
  }

  /// A text in the characters of a name; `nil` if nothing of it remains.
  private static func proposal(for text: String) -> String? {
    let words = text.split { character in
      !(character.isASCII && (character.isLetter || character.isNumber || character == "-" || character == "_"))
    }
    return OutputName(words.joined(separator: "_"))?.description
  }
}

extension Configuration {
  /// Rejects outputs whose topics belong to scales, enrolment or Home Assistant: a dose could operate a scale or remove a device.
  func checkOutputs(_ root: DiagnosticReporter) {
    let reserved = [mqtt.prefix, homeAssistant.prefix, "homeassistant", "enroll"]
    for (index, output) in outputs.enumerated() {
      let key = "outputs[\(index)].topic"
      guard let position = root.context.positions[key],
        let prefix = reserved.first(where: { (output.topic + "/").utf8.starts(with: ($0 + "/").utf8) })
      else { continue }
      root.below(key).report(.configTopicInside, ["prefix": prefix], at: position)
    }
  }
}
