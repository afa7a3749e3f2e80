const EPIC_VIEWS = ['timeline', 'graph', 'wall', 'table', 'list'] as const;
export type EpicViewName = (typeof EPIC_VIEWS)[number];
const ROW_FILTERS = ['active', 'critical'] as const;
export type RowFilter = (typeof ROW_FILTERS)[number];

/** The parameters in the address of an epic's page. Defaults are left out. */
export interface EpicSearch {
  view?: EpicViewName;
  /** Which stories a timeline or table shows. */
  show?: RowFilter;
  /** The story that the inspector shows. */
  story?: string;
}

export function readEpicSearch({ view, show, story }: Record<string, unknown>): EpicSearch {
  const knownView = EPIC_VIEWS.find((it) => it === view);
  const knownShow = ROW_FILTERS.find((it) => it === show);
  return {
    ...(knownView && { view: knownView }),
    ...(knownShow && { show: knownShow }),
    ...(typeof story === 'string' && story !== '' && { story }),
  };
}

/** Chooses the view: the one that the address names, if this page has it. */
export function chooseView(
  asked: EpicViewName | undefined,
  { hasRun, isWide }: { hasRun: boolean; isWide: boolean },
): { view: EpicViewName; usual: EpicViewName; offered: readonly EpicViewName[] } {
  const offered: readonly EpicViewName[] = hasRun
    ? ['timeline', 'graph', 'wall', 'table']
    : ['graph', 'list'];
  // On a phone a graph is too small to read.
  const usual = hasRun ? 'timeline' : isWide ? 'graph' : 'list';
  // For an epic with a run, `list` means the table.
  const meant = hasRun && asked === 'list' ? 'table' : asked;
  return { view: offered.find((it) => it === meant) ?? usual, usual, offered };
}
