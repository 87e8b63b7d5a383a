import Weighing

/// What the dashboard needs from the appliance.
package struct DashboardSources: Sendable {
  /// Performs an action; returns the payload of the result, as on the topic `result`, or `nil` if too many actions are
  /// waiting.
  package var act: @Sendable (_ name: String, _ parameters: ActionParameters) async -> [UInt8]?
  /// The newest records: `[{"weighing": {...}, "voided_by": id or null, "relabelled_by": id or null, "label": text or
  /// null}, ...]`, newest first.
  package var weighings: @Sendable () -> [UInt8]
  /// A page of all weighings as CSV, or why it cannot be read.
  package var table: TableSource
  /// The calibration with its points, its curve and its residuals.
  package var calibration: @Sendable () -> [UInt8]

  /// Makes the sources.
  package init(
    act: @escaping @Sendable (String, ActionParameters) async -> [UInt8]?, weighings: @escaping @Sendable () -> [UInt8],
    table: @escaping TableSource,
    calibration: @escaping @Sendable () -> [UInt8]
  ) {
    self.act = act
    self.weighings = weighings
    self.table = table
    self.calibration = calibration
  }
}
