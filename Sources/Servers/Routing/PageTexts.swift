import Languages
import Messages

/// The modules of the page that hold its texts in a language. A text that depends on a number is an object of its plural forms.
struct PageTexts {
  let texts: Texts

  /// The module `language.js`: what the page says itself, by its keys, without the views that are loaded on demand.
  var page: [UInt8] {
    Array("export const texts = ".utf8)
      + table(Self.keys.filter { !Self.isOfView($0) }.map { ($0, $0) }) + Array(";\n".utf8)
  }

  /// The module `view-language.js`, which adds the texts of those views.
  var views: [UInt8] {
    Array("import { texts } from './language.js';\nObject.assign(texts, ".utf8)
      + table(Self.keys.filter(Self.isOfView).map { ($0, $0) }) + Array(");\n".utf8)
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

  /// Whether the first word of a key is that of a view.
  private static func isOfView(_ key: String) -> Bool {
    ["cal", "settings", "history", "pad"].contains(key.prefix { $0.isLowercase })
  }

  /// What the scale and the page both say.
  private static let shared: [TextKey] = [
    .calibrationCheck, .calibrationCounts, .calibrationCurve, .calibrationProgress, .calibrationUncertainty,
    .eventTared, .healthUnknown, .labelVoided, .originKernel, .originNominal, .pageBroker, .pageContainers,
    .pageControls, .pagePad, .pageQuickActions, .pieces, .pressSlideUp, .settingsName, .shapeLinear, .shapeMonotone,
    .shapePolynomial, .shapePower, .stateNoPad, .stateNotCalibrated, .stateOverload, .stateSettling, .stateStable,
    .stepEmpty, .stepEmptyLast, .stepMass, .stepMassAgain, .warningNoSignal,
  ]

  private func table(_ keys: [(name: String, key: String)]) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      for (name, key) in keys.sorted(by: { $0.name < $1.name }) {
        json.key(name)
        let forms = texts.language.pluralForms.compactMap { form in texts.lines["\(key).\(form)"].map { (form, $0) } }
        if forms.isEmpty {
          json.string(texts.lines[key] ?? key)
        } else {
          json.object { json in
            for (form, text) in forms {
              json.key(form)
              json.string(text)
            }
          }
        }
      }
    }
    return json.bytes
  }
}
