import Testing

@testable import Languages
@testable import Weighing

/// Texts with values.
@Suite struct TextsTests {
  @Test func placeholdersAreFilledOnce() {
    #expect(Texts.english(.tared, ["mass": "{mass}"]) == "Tared at {mass}.")
    #expect(Texts.of(.german)(.taredContainer, ["mass": "12 g", "container": "{x"]) == "Tariert: 12 g ({x).")
  }

  @Test(
    arguments: [
      (.english, 1, "Counting pieces of 2 g: 1 piece."), (.english, 0, "Counting pieces of 2 g: 0 pieces."),
      (.german, 1, "Stückzählung mit 2 g je Stück: 1 Stück."), (.chinese, 1, "计数中，单重 2 g：1 件。"),
      (.japanese, 12, "個数計量中、単重 2 g：12 個。"),
    ] as [(Language, Int, String)])
  func aNumberChoosesTheForm(_ language: Language, _ count: Int, _ text: String) {
    #expect(Texts.of(language)(.countingPieces, count: count, ["mass": "2 g"]) == text)
  }

  private static let id = WeighingID(time: Instant(nanoseconds: 0), randomness: (1, 2))

  @Test func aLimitNamesAParameterAndAContainer() throws {
    let texts = Texts.of(.german)
    let above = RejectionDetail.aboveCapacity(parameter: "target_g", Grams(385)).sentence
    #expect(texts(above) == "target_g liegt über der Höchstlast von 385 g")
    let unknown = RejectionDetail.unknownContainer(try #require(ContainerName("jug"))).sentence
    #expect(texts(unknown) == "kein Behälter hat den Namen jug; es gibt noch keine Behälter")
    let missing = RejectionDetail.parameter(ActionArgumentError("label", .missing)).sentence
    #expect("\(missing)" == "label: missing" && texts(missing) == "label: fehlt")
  }

  @Test(
    arguments: [
      (.sampleTooSmall(pieces: 14), .detailSampleTooSmall, "14"),
      (.pieceTooLight(minimum: Grams(1.93)), .detailPieceTooLight, "1.9 g"),
      (.spreadTooLarge(maximum: 0.05), .detailSpreadTooLarge, "0.05"), (.padNotCalibrated, .detailPadNotCalibrated, ""),
      (.loadCellNotCalibrated, .detailLoadCellNotCalibrated, ""), (.noSignal, .detailNoSignal, ""),
      (.containerIsConfigured, .detailContainerIsConfigured, ""),
      (.tooManyContainers(maximum: 64), .detailTooManyContainers, "64"),
      (.notAtRest(within: .milliseconds(2500)), .detailNotAtRest, "2.5"),
      (.overload(capacity: Grams(385)), .detailOverload, "385 g"), (.nothingOnPad, .reasonEmpty, ""),
      (.grossNotPositive, .detailGrossNotPositive, ""), (.netNotPositive, .detailNetNotPositive, ""),
      (.belowMinimum(Grams(0.2)), .detailBelowMinimum, "0.2 g"), (.belowZero(Grams(-2)), .detailBelowZero, "-2 g"),
      (.noPad, .reasonPadMissing, ""), (.noTare, .reasonNoTare, ""), (.nothingToVoid, .reasonNothingToVoid, ""),
      (.alreadyVoided(.id(id)), .detailAlreadyVoided, id.description),
      (.alreadyVoided(.sequence(7)), .detailAlreadyVoided, "#7"),
      (.unknownWeighing(.id(id)), .detailUnknownWeighing, id.description),
      (.unknownWeighing(.sequence(7)), .detailUnknownWeighing, "#7"),
      (.unknownWeighing(.unknown), .reasonUnknownWeighing, ""),
      (.journalUnavailable, .reasonJournalUnavailable, ""),
      (.recordsWaiting(maximum: 64), .detailRecordsWaiting, "64"),
      (.unknownAction("beans", known: ["beans"]), .detailNoSuchAction, "beans"),
      (.invalidActionName(maximumBytes: 64), .detailActionName, "64"), (.expired, .reasonExpired, ""),
      (.retained, .reasonRetained, ""), (.commandsWaiting(maximum: 128), .detailCommandsWaiting, "128"),
      (.messagesWaiting(maximum: 500), .detailMessagesWaiting, "500"),
      (.tooManyCommands(perSecond: 20), .detailTooManyCommands, "20"),
      (.forceTooSteady(for: .milliseconds(1500)), .detailForceTooSteady, "1.5"),
      (.pressTooLong(.seconds(10)), .detailPressTooLong, "10"), (.pressInterrupted, .detailPressInterrupted, ""),
      (.pairingOver, .pairingOver, ""), (.thirdPress, .detailThirdPress, ""),
      (.pressReconfigured, .detailPressReconfigured, ""),
      (.unequalPresses, .detailUnequalPresses, ""), (.pressNotHeldStill, .detailPressNotHeldStill, ""),
      (.pressLeftZone, .detailPressLeftZone, ""), (.eventsLost, .detailEventsLost, ""),
      (.loadChanged, .detailLoadChanged, ""),
    ] as [(RejectionDetail, TextKey, String)])
  func whatTheApplianceSaysIsTranslated(_ detail: RejectionDetail, _ key: TextKey, _ value: String) {
    for language in Language.allCases {
      let texts = Texts.of(language)
      let names = Texts.pieces(of: Texts.english(key)).compactMap {
        if case .placeholder(let name) = $0 { name } else { nil }
      }
      #expect(texts(detail.sentence) == texts(key, Dictionary(uniqueKeysWithValues: names.map { ($0, value) })))
    }
  }
}
