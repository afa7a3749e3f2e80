export interface ReviewSearch {
  view?: 'split';
  /** The path of the file at the top. */
  file?: string;
}

export function readReviewSearch({ view, file }: Record<string, unknown>): ReviewSearch {
  return {
    ...(view === 'split' ? { view } : {}),
    ...(typeof file === 'string' ? { file } : {}),
  };
}
