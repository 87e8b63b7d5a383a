/// Recordings for the commands, written by hand.
enum Recorded {
  /// What the device says of itself: one touch, 0...3850 counts, ten a gram.
  static let device = """
    N: Pressure only
    I: 0003 1209 0001 0001
    A: 18 0 3850 0 0 0

    """
  /// 100 g for a second.
  static let events = """
    E: 0.000001 0003 0018 1000
    E: 0.000001 0000 0000 0000
    E: 1.000001 0003 0018 0000
    E: 1.000001 0000 0000 0000

    """
  /// 100 g for ten seconds.
  static let longLoad = """
    E: 0.000001 0003 0018 1000
    E: 0.000001 0000 0000 0000
    E: 10.000001 0003 0018 0000
    E: 10.000001 0000 0000 0000

    """
  static let oneLoad = device + events
}
