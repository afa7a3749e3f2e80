/** Changes of the text direction, as they are and as JSON escapes them. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]|(?<=(?:^|[^\\])(?:\\\\)*)\\u(?:202[a-e]|206[6-9])/gi;

/**
 * Removes changes of the text direction from a JSON text. A title with one could show its end before its
 * beginning, and pass for another.
 */
export const withoutTurns = (json: string): string => json.replace(TURNS, '');
