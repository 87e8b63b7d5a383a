// Every sentence of the history that a user sees.

export const texts = {
  title: '«pageHistory»', back: '«historyBack»', csv: '«historyExport»',
  search: '«historySearch»', label: '«pageLabel»', any: '«historyAnyLabel»', none: '«pageNoLabel»', from: '«historyFrom»', until: '«historyUntil»',
  state: '«historyVoided»', states: ['«historyIncluded»', '«historyLeftOut»', '«historyOnlyThese»'],
  reset: '«pageReset»', newer: '«historyNewer»', older: '«historyOlder»', pages: '«historyPages»', days: '«historyDays»',
  loading: '«historyLoading»', searching: number => `«historySearching number=${number}»`, summing: '«historySumming»', failed: '«historyFailed»', retry: '«historyRetry»',
  order: '«historyOrder»', empty: '«historyEmpty»', nothing: '«historyNothing»',
  sum: (count, net) => `«pageWeighingCount count=${count}», ${net}`,
  range: (first, last) => `«historyRange first=${first} last=${last}»`,
  voided: '«labelVoided»', relabelled: '«pageRelabelled»',
};
