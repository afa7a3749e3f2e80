import type { CheckAnswer, DraftContent } from '@saga-ai/types/screens/planning';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { checkQuery } from './plan-api.ts';

/** How long to wait after a change, because a person who types does not need an answer for each letter. */
const PAUSE_MS = 250;

export interface Check {
  /** The last answer; undefined until the first one is there. */
  answer: CheckAnswer | undefined;
  /** Whether the answer is about the draft as it is now. */
  isCurrent: boolean;
  error: Error | null;
}

/** Lets the server judge a draft, shortly after each change. */
export function useCheck(content: DraftContent, item: string | undefined): Check {
  const [asked, setAsked] = useState(content);
  useEffect(() => {
    const timer = window.setTimeout(() => setAsked(content), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [content]);
  const request = { content: asked, item };
  const { data, error, isPlaceholderData } = useQuery(checkQuery(request));
  return { answer: data, isCurrent: asked === content && !isPlaceholderData && !error, error };
}
