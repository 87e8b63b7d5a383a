import Testing
import Weighing

@testable import Languages

/// Sentences before they have a language.
@Suite struct SentenceTests {
  @Test(
    arguments: [
      (.english, "expected an integer from 0 to 9, found the string \"x\"; did you mean 1?"),
      (.german, "erwartet: eine ganze Zahl von 0 bis 9; gefunden: der Text \"x\"; ist 1 gemeint?"),
      (.chinese, "应为：0 至 9 的整数；实际为：字符串 \"x\"；是否想写 1？"),
      (.japanese, "必要な値：0 ～ 9 の整数（現在の値：文字列 \"x\"）。正しくは 1 ではありませんか？"),
    ] as [(Language, String)])
  func sentencesAreValuesOfOthers(_ language: Language, _ text: String) {
    let fault = Sentence(
      .configFound,
      [
        "accepts": Sentence(.acceptsInteger, ["least": 0, "most": 9]),
        "value": Sentence(.foundString, ["text": "\"x\""]),
      ])
    let sentence = Sentence(.configSuggestion, ["fault": fault, "suggestion": 1])
    #expect(Texts.of(language)(sentence) == text)
    #expect(sentence.description == Texts.english(sentence))
  }

  @Test func aNumberChoosesTheForm() {
    let one = Sentence(.curveTooFewPoints, count: 1, ["needed": 2])
    #expect("\(one)" == "a calibration requires at least 2 points; 1 was given")
    #expect("\(Sentence(.curveTooFewPoints, count: 0, ["needed": 2]))".hasSuffix("0 were given"))
    #expect(Texts.of(.japanese)(one) == "校正には 2 点以上必要です（現在 1 点）")
  }

  @Test func subjectsAndLinesAreTheSameInEveryLanguage() {
    let line = Sentence(.configEmpty).about("device.id").about("a.yaml:1:5")
    let lines = Sentence.lines([line, .verbatim("{mass}")])
    #expect("\(lines)" == "a.yaml:1:5: device.id: must not be empty\n{mass}")
    #expect(Texts.of(.german)(lines) == "a.yaml:1:5: device.id: darf nicht leer sein\n{mass}")
    #expect(line != Sentence(.configEmpty) && line == Sentence(.configEmpty).about("a.yaml:1:5: device.id"))
  }
}
