// Every sentence of the calibration that a user sees, except those of the scale about a measurement.

const g = mass => `${+mass.toFixed(3)} g`;

export const texts = {
  g, title: 'Calibrate', back: 'Back to the scale', silent: 'No response from the scale. Retrying…',
  missing: 'This scale cannot be calibrated here',
  start: {
    title: 'Masses', intro: capacity => `Choose three to six known masses. The heaviest should be near the capacity of ${g(capacity)}, and at least half of it.`,
    presets: 'Common masses', others: 'Other masses in grams, separated by spaces', example: '8.5 112 350',
    go: 'Start', only: 'Verify or test only', invalid: text => `“${text}” is not a mass in grams`,
    few: 'Choose at least two different masses', low: least => `The heaviest mass must be at least ${g(least)}, half of the capacity`,
    heavy: capacity => `A mass above the capacity of ${g(capacity)} cannot be measured`,
    memory: 'This demonstration keeps the calibration until it stops. Put the masses on the simulated pad below.',
    nowhere: 'This scale runs without a configuration file: it can measure, but not store a calibration.',
  },
  other: {
    title: 'Another page or program is calibrating', text: 'You can watch it here. If you take over, its measurements are lost.',
    take: 'Take over', ask: ['Take over the calibration?', 'The measurements of the other page or program are lost.', 'Take over', 'Cancel'],
  },
  ended: { title: 'The calibration is over', again: 'Start again' },
  steps: {
    title: 'Steps', list: 'Steps of the calibration', empty: 'Empty pad', empty_again: 'Empty pad again', mass: g, mass_again: mass => `${g(mass)} again`,
    open: 'open', skipped: 'skipped', measured: counts => `${counts.toFixed(1)} counts`,
    repeat: name => `Measure again: ${name}`,
    of: (number, count) => `Step ${number} of ${count}`,
    instruction: {
      empty: () => 'Take everything off the pad.', mass: mass => `Put ${g(mass)} on the centre of the pad and let go.`,
      empty_again: () => 'Take everything off again, to check that the pad returns to zero.',
      mass_again: mass => `Put ${g(mass)} on again, to check that it weighs the same.`,
    },
  },
  live: {
    counts: 'Counts', grams: 'Reads', spread: 'Spread', drift: 'Drift', share: 'Range used', none: '–', progress: 'At rest',
    perSecond: drift => `${drift.toFixed(2)}/s`, percent: share => `${Math.round(share * 100)} %`, maximum: 'above the range', nopad: 'No pad',
  },
  measure: 'Measure', measuring: 'Measuring…', stop: 'Stop', skip: 'Skip', keep: 'Keep it', repeat: 'Measure again', result: 'Show the result',
  fit: {
    title: 'Result', table: 'Residuals of the masses', refused: 'This calibration is refused', curve: 'Curve', best: 'Best fit',
    shapes: { linear: 'Linear', monotone: 'Monotone', polynomial: 'Polynomial', power: 'Power law' },
    chosen: why => `Curve: ${why}.`, uncertainty: mass => `Uncertainty between the masses: about ${mass.toFixed(2)} g.`,
    beyond: mass => `Above ${g(mass)} the curve is extrapolated.`,
    heads: ['Mass', 'Counts', 'Residual', 'Left out', 'Noise'], end: 'end',
    note: 'Left out: what the curve through the other masses reads, less the mass. Noise: one standard uncertainty.',
    plot: (count, most) => `Residuals of ${count} masses, up to ${most.toFixed(2)} g`,
    legend: { residual: 'residual', left: 'left out' },
    correct: 'Correct mass in grams', correctGo: 'Correct', doubtful: 'Please check',
  },
  apply: {
    go: 'Apply', anyway: 'Apply anyway', undo: 'Undo', done: 'In use. The scale weighs with this calibration.',
    saved: path => path === 'memory' ? 'Applied until the demonstration stops' : 'Calibration applied and saved', undone: 'The calibration from before is in use again',
    ask: ['Apply a doubtful calibration?', 'Apply', 'Cancel'],
  },
  verify: {
    title: 'Verify', mass: 'Known mass, g', tolerance: 'Tolerance, g', go: 'Verify',
    result: v => `${g(v.mass_g)} reads ${g(v.reads_g)}: error ${v.error_g > 0 ? '+' : ''}${g(v.error_g).replace('-', '−')}, ${v.ok ? 'within' : 'not within'} ${g(v.tolerance_g)}.`,
  },
  test: {
    title: 'Self-test', intro: 'Put one mass on and take it off several times, then leave it there. Its exact value does not matter.',
    mass: 'Mass, g', times: 'Times', creep: 'Creep test, s', conditions: 'Conditions, for the certificate', example: 'temperature, place, operator',
    go: 'Start the self-test', unused: 'Apply the calibration first: the certificate is about the calibration in use.',
    names: { repeatability: 'Repeatability', zero_return: 'Zero return', creep: 'Creep' }, heads: ['Test', 'Found', 'Limit', 'Result'],
    pass: 'pass', fail: 'fail', passed: 'Self-test passed', failed: 'Self-test failed', certificate: 'Download certificate',
    task: (number, count) => `${number} of ${count}`,
  },
  end: {
    go: 'End the calibration', done: 'Done', ask: ['End the calibration?', 'The measurements are lost; the calibration in use stays.', 'End', 'Continue'],
    waits: 'The calibration waits for two minutes. Go back to continue it.', cancelled: 'Calibration ended; nothing changed',
  },
};
