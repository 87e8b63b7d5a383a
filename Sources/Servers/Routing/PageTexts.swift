import Languages
import Messages

/// The modules of the page that hold its texts in a language. A text that depends on a number is an object of its plural forms.
struct PageTexts {
  let texts: Texts

  /// The module `language.js`: the texts of the first view by their keys.
  var page: [UInt8] {
    Array("export const texts = ".utf8)
      + table(Self.keys.filter(Self.first.contains).map { ($0, $0) }) + Array(";\n".utf8)
  }

  /// The module `view-language.js`, which adds the texts of what is loaded later.
  var views: [UInt8] {
    Array("import { texts } from './language.js';\nObject.assign(texts, ".utf8)
      + table(Self.keys.subtracting(Self.first).map { ($0, $0) }) + Array(");\n".utf8)
  }

  /// The module `service-texts.js`: what the scale says, by the names of keys in payloads.
  var service: [UInt8] {
    Array("export const texts = ".utf8) + table(TextKey.allCases.map { ($0.name, $0.rawValue) }) + Array(";\n".utf8)
  }

  /// The keys of the page: those that are none of the service, and those of both.
  private static let keys: Set<String> = {
    let service = Set(TextKey.allCases.map(\.rawValue)).subtracting(shared.map(\.rawValue))
    return Set(Texts.english.lines.keys.map { String($0.prefix { $0 != "." }) }).subtracting(service)
  }()

  /// The words of `index.html` and of the modules that it names; those that are keys are the keys of the first view.
  private static let first: Set<String> = {
    let index = Page.sources["/"].map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
    let modules = index.matches(of: /"([\w-]+\.js)"/).compactMap { Page.sources["/\($0.1)"]?.bytes }
    let source = modules.reduce(into: index) { $0 += String(decoding: $1, as: UTF8.self) }
    return Set(source.split { !$0.isLetter && !$0.isNumber }.map(String.init))
  }()

  /// What the scale and the page both say.
  private static let shared: [TextKey] = [
    .actionPair, .calibrationCheck, .calibrationCounts, .calibrationCurve, .calibrationProgress,
    .calibrationUncertainty, .eventTared, .healthUnknown, .labelVoided, .originKernel, .originKnown, .originNominal,
    .pageBroker,
    .pageContainers, .pageControls, .pagePad, .pageQuickActions, .pairingGranted, .pairingRefused, .pieces,
    .pressSlideUp, .settingsName, .shapeLinear, .shapeMonotone, .shapePolynomial, .shapePower, .stateNoPad,
    .stateNotCalibrated, .stateOverload, .stateSettling, .stateStable, .stepEmpty, .stepEmptyLast, .stepMass,
    .stepMassAgain, .warningNoSignal,
  ]

  private func table(_ keys: [(name: String, key: String)]) -> [UInt8] {
    JSONWriter.object { json in
      for (name, key) in keys.sorted(by: { $0.name < $1.name }) {
        json.key(name)
        let forms = texts.language.pluralForms.compactMap { form in texts.lines["\(key).\(form)"].map { (form, $0) } }
        if forms.isEmpty {
          json.string(texts.lines[key] ?? key)
        } else {
          json.object { json in
            for (form, text) in forms { json.field(form, text) }
          }
        }
      }
    }
  }
}
