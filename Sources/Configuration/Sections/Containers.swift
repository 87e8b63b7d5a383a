import Languages
import Weighing

extension Container {
  /// An example for the documentation.
  static let example = ContainerName("jug").map { Container(name: $0, tare: Grams(112.5), isConfigured: true) }
}

extension ValueRule<[Container]> {
  /// Containers with different names.
  static var containers: Self {
    .list(atMost: 64, of: "containers {name: ..., tare_g: ...}", ValueRule<Container>.container)
  }
}

extension ValueRule<Container> {
  /// A container whose name none of the other containers has.
  fileprivate static func container(after others: [Container]) -> Self {
    let expected = Sentence(.acceptsContainer, ["form": "{name: ..., tare_g: ...}"])
    let nameRule = ValueRule<String>.text(maximumBytes: ContainerName.maximumBytes)
    let tareRule = ValueRule<Grams>.grams(0...Grams.maximum.value)
    return ValueRule(
      expected,
      schema: .objectSchema(
        [
          "name": nameRule.schema().described("Name of the container, in commands and readings."),
          "tare_g": tareRule.schema().described("Mass of the empty container in grams."),
        ], required: ["name", "tare_g"]),
      output: { .record(["name": nameRule.output($0.name.description), "tare_g": tareRule.output($0.tare)]) }
    ) { node, reporter in
      var text: String?
      var tare: Grams?
      var item = SectionReader(item: node, expected, reporter)
      item.require("name", nameRule, into: &text)
      item.require("tare_g", tareRule, into: &tare)
      let name = text.flatMap(ContainerName.init)
      if let name, others.contains(where: { $0.name == name }) {
        item.report("name", .configContainerTaken, ["name": name])
      }
      guard item.finish(), let name, let tare else { return nil }
      return Container(name: name, tare: tare, isConfigured: true)
    }
  }
}
