/// The pattern that matches a text in a udev rule: the text itself, except for special characters. udev(7)
///
/// A device can have any name: quotes, backslashes, line breaks and pattern characters (`*?[]|`) are each matched by
/// `?`, which stands for any one character, and non-ASCII characters by `*`, because their number of characters
/// depends on udev's locale. Trailing white space is removed: udev does not compare it then.
package func udevPattern(_ text: String) -> String {
  var pattern = ""
  // White space as in isspace(3), which udev uses.
  let end = text.unicodeScalars.lastIndex { !(9...13).contains($0.value) && $0 != " " }
  guard let end else { return "" }
  for scalar in text.unicodeScalars[...end] {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", " ", "-", "_", ".", ",", ":", ";", "+", "@", "#", "/", "=", "(", ")":
      pattern.unicodeScalars.append(scalar)
    case _ where scalar.isASCII: pattern += "?"
    case _ where pattern.hasSuffix("*"): break
    default: pattern += "*"  // any other character, not a case of an enum
    }
  }
  return pattern
}
