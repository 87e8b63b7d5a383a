import Languages
import Testing
import Weighing

@testable import Calibrating

/// What the core says is in every language.
@Suite struct CalibrationLanguageTests {
  private static let faults: [CalibrationError] = [
    .pastTheAxis(mass: Grams(200)), .unstable(mass: Grams(50), moved: Grams(1.5)),
    .drifted(mass: .zero, first: 1, last: 9, by: Grams(3)), .drifted(mass: Grams(50), first: 1, last: 9, by: Grams(3)),
    .indistinct(Grams(50), Grams(60), counts: 120), .mistyped(mass: Grams(50), counts: 900, predicted: Grams(90)),
    .notEmpty(counts: 900, fullScale: 4095), .scattered(mass: Grams(50), predicted: Grams(55), misfit: 9),
    .notRising(
      light: CalibrationPoint(counts: 500, mass: Grams(50)), heavy: CalibrationPoint(counts: 400, mass: Grams(60))),
    .tooNarrow(heaviest: Grams(50), needed: Grams(100), capacity: Grams(385)),
  ]

  private static let errors: [MeasurementError] = [
    .noPad(.verbatim("x")), .unchanged(within: .seconds(60)), .unstable(within: .seconds(60)), .aboveRange, .cancelled,
    .refused(faults[0]), .tooFewMasses(1, capacity: Grams(385)),
  ]

  private static let instructions: [Sentence] = [
    CalibrationStep.empty(isLast: false).instruction, CalibrationStep.empty(isLast: true).instruction,
    CalibrationStep.mass(Grams(50)).instruction, CalibrationStep.again(Grams(50)).instruction,
    LoadingProcedure.Task.unload.instruction, LoadingProcedure.Task.load(Grams(50)).instruction,
    LoadingProcedure.Task.observe(.seconds(30)).instruction,
  ]

  @Test(arguments: [Language.german, .chinese, .japanese]) func everySentenceIsTranslated(_ language: Language) {
    let texts = Texts.of(language)
    for sentence in Self.faults.map(\.sentence) + Self.errors.map(\.sentence) + Self.instructions {
      #expect(texts(sentence) != sentence.description)
    }
  }

  private static func choice(_ masses: [Double], every counts: Double, _ shape: CurveShape? = nil) throws -> CurveChoice
  {
    let points = masses.enumerated().map { index, mass in
      CalibrationPoint(counts: Double(index) * counts, mass: Grams(mass))
    }
    return try CurveChoice(points: points, asked: shape, tolerance: Grams(0.1))
  }

  private static func choices() throws -> [CurveChoice] {
    let bent: [Double] = [0, 100, 230, 385]
    var wavy: [Double] = []
    for index in 0...20 { wavy.append(Double(index * 20 + (index % 2) * 6)) }
    return try CurveShape.allCases.map { try choice(bent, every: 300, $0) } + [
      choice(Array(bent.prefix(3)), every: 300), choice(wavy, every: 50), choice([0, 40, 80, 120, 160], every: 100),
    ]
  }

  @Test(arguments: [Language.german, .chinese, .japanese]) func theCurveIsExplained(_ language: Language) throws {
    let texts = Texts.of(language)
    let choices = try Self.choices()
    for choice in choices {
      #expect(!texts(choice.sentence).contains("leave") && !texts(choice.sentence).contains("curve"))
    }
    #expect(Set(choices.map(\.reason)).isSuperset(of: [.asked, .tooFewToTell, .best]))
  }

  @Test func valuesAreKept() {
    let texts = Texts.of(.german)
    #expect(texts(Self.instructions[2]) == "50 g auf die Mitte des Pads legen und loslassen.")
    #expect(
      texts(MeasurementError.refused(.pastTheAxis(mass: Grams(200))).sentence)
        == "Kalibrierung abgelehnt: 200 g liegt über dem Messbereich des Pads; auslassen")
  }
}
