/** The subject of the commit with which a story's branch gets its plan. */
export const formatBeginSubject = (storyId: string): string => `saga: begin story ${storyId}`;

/** The subject of the commit with which a story's branch takes over an edited plan. */
export const formatTakeSubject = (storyId: string): string =>
  `saga: take the plan of ${storyId} from the main checkout`;
