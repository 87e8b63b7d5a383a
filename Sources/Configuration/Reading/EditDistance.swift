/// The number of letters to insert, delete, replace or transpose to turn one word into another.
///
/// Optimal string alignment, the restricted Damerau-Levenshtein distance; case does not count.
func editDistance(_ a: String, _ b: String) -> Int {
  let a = Array(a.lowercased().unicodeScalars)
  let b = Array(b.lowercased().unicodeScalars)
  var before: [Int] = []
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, before[j - 1] + 1) }
      row.append(cost)
    }
    before = last
    last = row
  }
  return last[b.count]
}

/// The most similar candidate: at most a third of the letters differ, or the word is a prefix of it (`password`,
/// `password_file`; `capacity`, `capacity_g`); `nil` if none is similar.
package func closest(to word: String, in candidates: [String]) -> String? {
  let length = word.unicodeScalars.count
  guard (1...64).contains(length) else { return nil }
  var best: (candidate: String, distance: Int)?
  for candidate in candidates where candidate != word {
    let distance = editDistance(word, candidate)
    if distance < best?.distance ?? .max { best = (candidate, distance) }
  }
  if let best, best.distance <= max(1, max(length, best.candidate.count) / 3) { return best.candidate }
  return candidates.first { length >= 3 && $0.hasPrefix(word.lowercased() + "_") }
}
