import type { DraftContent } from '@saga-ai/types/screens/planning';
import { useCallback, useState } from 'react';
import { type KeptDraft, keepDraft, readKept } from './kept-drafts.ts';

export interface DraftInHand {
  /** What the person typed. Null while they have typed nothing. */
  kept: KeptDraft | null;
  /** False if the browser cannot keep the draft. */
  isKept: boolean;
  change(content: DraftContent, version: string | null): void;
  /** Drops the draft. It can be brought back until the page is left. */
  drop(): void;
  dropped: KeptDraft | null;
  /** The draft was created or saved, so there is nothing to keep or to bring back. */
  finish(): void;
  bringBack(): void;
}

/** The draft of a place: of the new plan, or of a story or an epic. */
export function useDraft(project: string, place: string): DraftInHand {
  const [kept, setKept] = useState(() => readKept(project, place));
  const [dropped, setDropped] = useState<KeptDraft | null>(null);
  const [isKept, setIsKept] = useState(true);
  const put = useCallback(
    (next: KeptDraft | null) => {
      setKept(next);
      setIsKept(keepDraft(project, place, next));
    },
    [project, place],
  );
  const change = useCallback(
    (content: DraftContent, version: string | null) => put({ content, version }),
    [put],
  );
  const drop = useCallback(() => {
    setDropped(kept);
    put(null);
  }, [kept, put]);
  const bringBack = useCallback(() => {
    setDropped(null);
    put(dropped);
  }, [dropped, put]);
  const finish = useCallback(() => {
    setDropped(null);
    put(null);
  }, [put]);
  return { kept, isKept, change, drop, dropped, finish, bringBack };
}
