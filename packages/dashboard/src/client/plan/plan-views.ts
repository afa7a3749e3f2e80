export const PLAN_VIEWS = ['form', 'markdown', 'order'] as const;
export type PlanViewName = (typeof PLAN_VIEWS)[number];

export const PLAN_VIEW_WORDS: Readonly<Record<PlanViewName, string>> = {
  form: 'Form',
  markdown: 'Markdown',
  order: 'Order',
};

/** The parameters in the address of a page that writes plans. Defaults are left out. */
export interface PlanSearch {
  view?: PlanViewName;
  /** How a new plan is made. */
  by?: 'claude';
}

export function readPlanSearch({ view, by }: Record<string, unknown>): PlanSearch {
  const known = PLAN_VIEWS.find((it) => it === view);
  return { ...(known && { view: known }), ...(by === 'claude' && { by }) };
}
