// Every sentence of the calibration that a user sees, except those of the scale about a measurement.

const g = mass => `${+mass.toFixed(3)} g`;

export const texts = {
  g, title: '«calTitle»', back: '«pageBack»', silent: '«pageNoAnswer»',
  missing: '«calMissing»',
  start: {
    title: '«padMasses»', intro: capacity => `«calIntro capacity=${g(capacity)}»`,
    presets: '«calPresets»', others: '«calOthers»', example: '8.5 112 350',
    go: '«pageStart»', only: '«calOnly»', invalid: text => `«calInvalid text=${text}»`,
    few: '«calFew»', low: least => `«calLow mass=${g(least)}»`,
    heavy: capacity => `«calHeavy capacity=${g(capacity)}»`,
    demo: '«calDemo»',
    nowhere: '«calNowhere»',
  },
  other: {
    title: '«calOther»', text: '«calOtherHint»',
    take: '«calTakeOver»', ask: ['«calAskTakeOver»', '«calTakeOverHint»', '«calTakeOver»', '«pageCancel»'],
  },
  ended: { title: '«calEnded»', again: '«calStartAgain»' },
  steps: {
    title: '«calSteps»', list: '«calStepsList»', empty: '«calEmpty»', empty_again: '«calEmptyAgain»', mass: g, mass_again: mass => `«calMassAgain mass=${g(mass)}»`,
    open: '«calOpen»', skipped: '«calSkipped»', measured: counts => `«calibrationCounts counts=${counts.toFixed(1)}»`,
    repeat: name => `«calRepeatIt name=${name}»`,
    of: (number, count) => `«calStepOf number=${number} count=${count}»`,
    instruction: {
      empty: () => '«stepEmpty»', mass: mass => `«stepMass mass=${+mass.toFixed(3)}»`,
      empty_again: () => '«stepEmptyLast»',
      mass_again: mass => `«stepMassAgain mass=${+mass.toFixed(3)}»`,
    },
  },
  live: {
    counts: '«calCounts»', grams: '«calReads»', spread: '«calSpread»', drift: '«calDrift»', share: '«calShare»', none: '–', progress: '«calAtRest»',
    perSecond: drift => `${drift.toFixed(2).replace('-', '−')}/s`, percent: share => `${Math.round(share * 100)} %`, maximum: '«calAboveRange»', nopad: '«pageNoPad»',
  },
  measure: '«calMeasure»', measuring: '«calMeasuring»', waiting: '«calWaiting»', stop: '«pageStop»', skip: '«calSkip»', keep: '«calKeep»', repeat: '«calRepeat»', result: '«calShowResult»',
  fit: {
    title: '«calResult»', table: '«calTable»', refused: '«calRefused»', curve: '«calCurve»', best: '«calBest»',
    shapes: { linear: '«calLinear»', monotone: '«calMonotone»', polynomial: '«calPolynomial»', power: '«calPower»' },
    chosen: why => `«calibrationCurve explanation=${why}»`, uncertainty: mass => `«calibrationUncertainty mass=${mass.toFixed(2)}»`,
    beyond: mass => `«calBeyond mass=${g(mass)}»`,
    heads: ['«calMass»', '«calCounts»', '«calResidual»', '«calLeftOut»', '«calNoise»'], end: '«pageEnd»',
    note: '«calNote»',
    plot: (count, most) => `«calPlot number=${count} mass=${most.toFixed(2)}»`,
    legend: { residual: '«calKeyResidual»', left: '«calKeyLeftOut»' },
    correct: '«calCorrectMass»', correctGo: '«calCorrect»', check: reason => `«calibrationCheck reason=${reason}»`, reason: reason => `«calReason reason=${reason}»`,
  },
  apply: {
    go: '«calApply»', anyway: '«calApplyAnyway»', undo: '«calUndo»', done: '«calInUse»',
    saved: path => path === 'memory' ? '«calAppliedMemory»' : '«calApplied»', undone: '«calUndone»',
    ask: ['«calAskDoubtful»', '«calApply»', '«pageCancel»'],
  },
  verify: {
    title: '«calVerify»', mass: '«calKnownMass»', tolerance: '«settingsTolerance»', go: '«calVerify»',
    result: v => (error => v.ok ? `«calWithin mass=${g(v.mass_g)} reading=${g(v.reads_g)} error=${error} tolerance=${g(v.tolerance_g)}»` : `«calNotWithin mass=${g(v.mass_g)} reading=${g(v.reads_g)} error=${error} tolerance=${g(v.tolerance_g)}»`)(`${v.error_g > 0 ? '+' : ''}${g(v.error_g).replace('-', '−')}`),
  },
  test: {
    title: '«calSelfTest»', intro: '«calSelfTestIntro»',
    mass: '«calTestMass»', times: '«calTimes»', creep: '«calCreepTime»', conditions: '«calConditions»', example: '«calConditionsExample»',
    go: '«calStartTest»', unused: '«calUnused»',
    names: { repeatability: '«calRepeatability»', zero_return: '«calZeroReturn»', creep: '«calCreep»' }, heads: ['«calTest»', '«calFound»', '«calLimit»', '«calResult»'],
    pass: '«calPass»', fail: '«calFail»', passed: '«calPassed»', failed: '«calFailed»', certificate: '«calCertificate»',
    task: (number, count) => `«calibrationProgress number=${number} count=${count}»`,
  },
  end: {
    go: '«calEnd»', done: '«calDone»', ask: ['«calAskEnd»', '«calEndHint»', '«calEndGo»', '«calContinue»'],
    waits: '«calWaits»', cancelled: '«calCancelled»',
  },
};
