export interface ReviewSearch {
  view?: 'split';
  /** The path of the file at the top. */
  file?: string;
}

export function readReviewSearch({ view, file }: Record<string, unknown>): ReviewSearch {
  return {
    view: view === 'split' ? view : undefined,
    file: typeof file === 'string' ? file : undefined,
  };
}
