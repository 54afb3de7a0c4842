/**
 * The cases about Git itself, against stock `git http-backend`. They must require what Git does, not only what this
 * service does.
 */

import { cases, groupSample, selectCases, type Target } from '@packhouse/conformance';
import { conformanceTests } from '@packhouse/conformance/vitest';
import { sampleSeed } from '@packhouse/fixtures';
import { expect } from 'vitest';
import { stockGit } from './support/stock-git.ts';

const features = ['wait-for-done', 'sideband-all', 'object-info'].map((name) => `git/commands/${name}`);
const patterns = ['git/shallow/*', 'git/filters/*', 'git/clients/*', 'git/recorded/*', 'git/samples/*', ...features];

/** Cases in which stock Git 2.39 differs from the specification. */
const otherwise: readonly RegExp[] = [
  // Ends without a message in version 0, or with other texts.
  /^git\/shallow\/(?:refusals|zero)-/,
  /^git\/filters\/refused$/,
  // Counts from each shallow line of the client, as Git did before 2.54.
  /^git\/recorded\/fetch-deepen-(?:merged|uneven)$/,
  /^git\/shallow\/relative-(?:elsewhere|nearest)-/,
  /^git\/clients\/deepen-merged$/,
  // Sends objects of a commit again when it stops being a boundary.
  /^git\/shallow\/nothing-twice-/,
  // Takes each of these pushes, since its settings are others.
  /^git\/recorded\/push-refused-/,
  // Forgets objects that another part of the filter met at a deeper place.
  /^git\/filters\/combined-by-place-/,
  // Also forgets objects that are wanted by id and met again at another place.
  /^git\/filters\/random$/,
  // Uses delta bases that another filter may have left out.
  /^git\/filters\/bases$/,
  // Lists wanted refs before the boundary, which its own client refuses; so they are disabled here.
  /^git\/clients\/want-ref$/,
  // Accepts any credential here, and has different texts for refusals.
  /^git\/clients\/(?:atomic|(?:wrong-)?credential-helper|refusals-shown|isomorphic-git-refusals)$/,
];

const answered = selectCases(cases, patterns).filter(({ id }) => !otherwise.some((form) => form.test(id)));
let target: Target | undefined;
conformanceTests({
  name: 'stock git',
  environment: process.env,
  cases: groupSample(answered, sampleSeed(), 4),
  async start() {
    target = await stockGit();
    return target;
  },
  async end(results) {
    await target?.close?.();
    const missing = results.filter(({ status }) => status === 'unsupported' || status === 'skipped');
    expect(missing.map(({ id, reason }) => `${id}: ${reason ?? ''}`)).toEqual([]);
  },
});
