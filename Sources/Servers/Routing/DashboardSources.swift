import Languages
import Weighing

/// Takes the result of a call that may last; called once, on any thread.
package typealias Completion<Value> = @Sendable (Value) -> Void

/// What the dashboard needs from the appliance. It calls these functions on the thread of the servers, so they must not wait.
package struct DashboardSources: Sendable {
  /// Performs an action; passes on the payload of the result, as on the topic `result`, or `nil` if too many actions are
  /// waiting.
  package var act: @Sendable (ActionRequest, @escaping Completion<[UInt8]?>) -> Void
  /// The newest records: `[{"weighing": {...}, "voided_by": id or null, "relabelled_by": id or null, "label": text or
  /// null, "day": "2026-11-21"}, ...]`, newest first.
  package var weighings: @Sendable () -> [UInt8]
  /// A page of the records of a selection as CSV, or why it cannot be read.
  package var table:
    @Sendable (WeighingSelection, TablePosition, @escaping Completion<Result<TablePage, TableError>>) -> Void
  /// The totals of a selection, or why they cannot be read: `{"sequence", "next", "weighings", "net_g", "complete", "groups":
  /// [{"day", "label", "weighings", "net_g"}, ...]}`, newest day first. Until `next` is null, only weighings from that number on
  /// are included.
  package var totals: @Sendable (WeighingSelection, @escaping Completion<Result<[UInt8], TableError>>) -> Void
  /// Weighings of the whole journal, or why they cannot be read: `{"sequence", "next", "weighings": [...]}`, newest first, each
  /// as in `weighings`. Less than the limit with a `next` that is not null: the search took too long.
  package var history: @Sendable (HistoryQuery, @escaping Completion<Result<[UInt8], TableError>>) -> Void
  /// The calibration with its points, its curve and its residuals.
  package var calibration: @Sendable () -> [UInt8]
  /// The calibration under way; `nil` if the appliance cannot be calibrated here.
  package var calibrating: CalibratingSource?
  /// The settings that users change in the page; `nil` if there is no configuration file.
  package var settings: SettingsSource?
  /// The machine that the page sets up; `nil` if the appliance does not run from the image.
  package var machine: MachineSource?
  /// Who may act beside the owner of the token; `nil` if no one else can.
  package var pairing: (any PairingSource)?
  /// The load around a weighing, see `LoadCurves`.
  package var curve: @Sendable (WeighingID) -> [UInt8]
  /// The web app manifest, with the quick actions as shortcuts.
  package var manifest: @Sendable (Language) -> [UInt8]
  /// Moves the loads of the simulated pad; returns what is wrong with the payload, or `nil`. `nil` on all other pads.
  package var touchPad: (@Sendable ([UInt8]) -> Sentence?)?

  /// Makes the sources.
  package init(
    act: @escaping @Sendable (ActionRequest, @escaping Completion<[UInt8]?>) -> Void,
    weighings: @escaping @Sendable () -> [UInt8],
    table:
      @escaping @Sendable (
        WeighingSelection, TablePosition, @escaping Completion<Result<TablePage, TableError>>
      ) -> Void,
    totals: @escaping @Sendable (WeighingSelection, @escaping Completion<Result<[UInt8], TableError>>) -> Void,
    history: @escaping @Sendable (HistoryQuery, @escaping Completion<Result<[UInt8], TableError>>) -> Void,
    calibration: @escaping @Sendable () -> [UInt8], curve: @escaping @Sendable (WeighingID) -> [UInt8],
    manifest: @escaping @Sendable (Language) -> [UInt8], calibrating: CalibratingSource? = nil,
    settings: SettingsSource? = nil, machine: MachineSource? = nil, pairing: (any PairingSource)? = nil,
    touchPad: (@Sendable ([UInt8]) -> Sentence?)? = nil
  ) {
    (self.act, self.weighings, self.table, self.totals) = (act, weighings, table, totals)
    (self.history, self.calibration, self.curve, self.manifest) = (history, calibration, curve, manifest)
    (self.calibrating, self.settings, self.machine) = (calibrating, settings, machine)
    (self.pairing, self.touchPad) = (pairing, touchPad)
  }
}
