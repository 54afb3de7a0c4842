import type { Case } from '../core/case.ts';

/** Milliseconds, and the share of all cases, before there is an estimate: until then it would be a guess. */
const leastTime = 5000;
const leastShare = 0.05;

/** An estimate of the time that a run still takes, from the durations of the cases that have ended. */
export interface RemainingTime {
  ended(id: string, milliseconds: number): void;
  /** Returns milliseconds after the run has taken `elapsed` milliseconds; undefined as long as too little is known. */
  left(elapsed: number): number | undefined;
}

/**
 * Expects that a case takes as long as the mean of its group, else of its area, else of all. What else passed, such as
 * clean-up and waiting, is expected to go on in proportion.
 */
export function remainingTime(cases: readonly Pick<Case, 'id'>[]): RemainingTime {
  const waiting = new Set(cases.map(({ id }) => id));
  const seen = new Map<string, { sum: number; count: number }>();
  let total = 0;
  return {
    ended(id, milliseconds) {
      waiting.delete(id);
      // Instant cases, such as skipped ones, still take a moment: a sum of zero would have no proportion.
      const spent = Math.max(milliseconds, 1);
      total += spent;
      for (const group of groupsOf(id)) {
        const { sum, count } = seen.get(group) ?? { sum: 0, count: 0 };
        seen.set(group, { sum: sum + spent, count: count + 1 });
      }
    },
    left(elapsed) {
      if (waiting.size === 0) return 0;
      if (elapsed < leastTime || cases.length - waiting.size < cases.length * leastShare) return undefined;
      let expected = 0;
      for (const id of waiting) {
        const { sum, count } = groupsOf(id).flatMap((group) => seen.get(group) ?? [])[0] ?? { sum: 0, count: 1 };
        expected += sum / count;
      }
      return (expected * elapsed) / total;
    },
  };
}

/** Returns the groups of a case, the narrowest first. */
function groupsOf(id: string): readonly string[] {
  const words = id.split('/');
  return [words.slice(0, 2).join('/'), words[0] as string, ''];
}

/** Returns a duration as people say it. */
export function roughly(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 10_000) * 10;
  return seconds < 120 ? `about ${seconds} s` : `about ${Math.ceil(seconds / 60)} min`;
}
