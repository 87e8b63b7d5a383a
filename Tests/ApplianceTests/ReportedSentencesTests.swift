import Configuration
import Languages
import Messages
import Testing
import Weighing

/// The clients recognise the English sentences of the service.
@Suite struct ReportedSentencesTests {
  private static let rest = LoadRest(counts: 123.4, spread: 0.5, drift: -1.5)

  @Test(
    arguments: [.closed, .abandoned, .padLost("unplugged"), .reloaded] as [CalibrationSession.End])
  func theEndOfACalibrationIsTranslated(_ end: CalibrationSession.End) {
    let german = Texts.of(.german).reported(end.detail)
    #expect(german != end.detail && !german.contains("unplugged"))
  }

  @Test(
    arguments: [
      .gap, .stopped, .failed(.unchanged), .failed(.unstable), .failed(.aboveRange), .answer(.aboveRange),
      .answer(.kept(rest)), .answer(.unchanged(rest)),
      .answer(.implausible(rest, .indistinct(Grams(20), Grams(50), counts: 3))),
    ] as [CalibrationSession.Note])
  func aNoteOfACalibrationIsTranslated(_ note: CalibrationSession.Note) {
    let german = Texts.of(.german).reported(note.detail)
    #expect(german != note.detail && !german.contains("counts"))
  }

  /// What is wrong with a configuration or the settings, each with its place.
  @Test(
    arguments: [
      "scale: {capcity_g: 300}", "scales: {}", "scale: {capacity_g: heavy}", "scale: {capacity_g: 300, capacity_g: 2}",
      "scale: {unit: stone}", "mqtt: {broker: []}", "mqtt: {broker: [mqtt://a, mqtt://a]}", "mqtt: {broker: ftp://a}",
      "mqtt: {prefix: /a/}", "device: {name: ''}", "containers: [{name: a, tare_g: 9000}]", "containers: [{name: a}]",
      "actions: [{type: tare}]", "pad: {zones: {tare: {x: [0, 2], y: [0, 1]}}}", "pad: {zones: 3}", "scale: [",
      "a: &b 1",
      "calibration: {points: [{raw: 0, grams: 5}, {raw: 9, grams: 5}]}", "scale: {minimum_g: '1'}",
    ])
  func aFaultOfTheConfigurationIsTranslated(_ yaml: String) throws {
    let error = try #require(throws: ConfigurationError.self) { try Configuration.parse(yaml) }
    for language in [Language.german, .chinese, .japanese] {
      let texts = Texts.of(language)
      #expect(texts.reported(error.description) == texts(error.sentence))
      #expect(texts(error.sentence) != error.description)
    }
    let settings = ConfigurationError.invalidSettings(path: "/var/lib/a b.yaml", [])
    #expect(
      Texts.of(.german).reported("The configuration is invalid: \(settings)")
        == Texts.of(.german)(SettingsError.configuration(settings).sentence))
  }
}
