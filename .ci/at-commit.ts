import { sampleOf } from '../fixtures/src/runs.ts';
import { trackedFiles } from './checks/tracked-files.ts';
import { longest } from './longest-first.ts';

/** Commits between two runs of a file. */
const turns = 3;

/** The conformance suite, of which each commit runs a sample on each runtime. */
const always = /^packages\/cli\/test\/conformance\/[^/]+\.runtimes\./;

/**
 * Returns the files of a suite that `.ci/run` runs at this commit: one of three, by turns (docs/decisions/0102), and the
 * conformance suite on all runtimes. Undefined elsewhere, where all of them run.
 *
 * @param suite The form of their paths from the root.
 */
export function atCommit(suite: RegExp): readonly string[] | undefined {
  if (process.env['PACKHOUSE_RUNS'] !== 'commit') return undefined;
  const files = trackedFiles().filter((path) => suite.test(path));
  const kept = files.filter((path) => always.test(path));
  const others = files.filter((path) => !always.test(path));
  // Long ones first, so that each turn has as many of them.
  const place = (path: string): number => (longest.includes(path) ? longest.indexOf(path) : longest.length);
  return [
    ...kept,
    ...sampleOf(
      others.toSorted((a, b) => place(a) - place(b)),
      turns,
    ),
  ];
}
