import type { Outcome } from './evaluate.ts';
import { brokenBounds, scores, slowSteps, type ScoreName } from './judge.ts';
import { shapes } from './inputs/shapes.ts';

const titles: Readonly<Record<ScoreName, string>> = {
  work: 'nanoseconds of work for each byte sent',
  step: 'milliseconds of the longest step',
  uncounted: 'milliseconds of a step that nothing counted',
  memory: 'bytes of memory for each byte sent',
  stored: 'bytes that are kept for each byte sent',
  reply: 'bytes of reply for each byte sent',
};

/** Formats the most costly inputs by each score. */
export function rankings(outcomes: readonly Outcome[], places: number): string {
  return (Object.keys(scores) as ScoreName[])
    .map((name) => {
      const score = scores[name];
      const unit = name === 'step' || name === 'uncounted' ? 1e6 : 1;
      const best = outcomes.toSorted((a, b) => score(b) - score(a)).slice(0, places);
      const lines = best.map((outcome) => `${(score(outcome) / unit).toPrecision(3).padStart(9)}  ${lineOf(outcome)}`);
      return [titles[name], ...lines, ''].join('\n');
    })
    .join('\n');
}

/** Returns all faults in the outcome of an input. */
export function allFaults(outcome: Outcome): readonly string[] {
  return [...brokenBounds(outcome), ...slowSteps(outcome)];
}

/** Returns one line per area and kind of fault, with the input that shows it most. */
export function faultsFound(outcomes: readonly Outcome[]): readonly string[] {
  const worst = new Map<string, { readonly text: string; readonly score: number }>();
  for (const outcome of outcomes) {
    for (const fault of allFaults(outcome)) {
      const key = `${outcome.area} ${shapeOf(outcome)} ${fault.replaceAll(/\d+/g, 'N').slice(0, 60)}`;
      const score = scores.step(outcome);
      if (score > (worst.get(key)?.score ?? -1)) worst.set(key, { text: `${fault}: ${lineOf(outcome)}`, score });
    }
  }
  return [...worst.values()].sort((a, b) => b.score - a.score).map(({ text }) => text);
}

/** Formats an input on one line: area, values, sent bytes and replies. */
export function lineOf(outcome: Outcome): string {
  const { area, values, sent, answers } = outcome;
  return `${area} ${shapeOf(outcome)} ${JSON.stringify(values)}, ${sent} bytes: ${answers.join(' | ').slice(0, 80)}`;
}

function shapeOf({ values }: Outcome): string {
  const { shape } = values;
  return shape === undefined ? '' : (shapes[shape]?.name ?? '');
}
