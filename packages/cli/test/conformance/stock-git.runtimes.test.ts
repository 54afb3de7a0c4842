/**
 * The cases of what Git itself does, against stock `git http-backend`: that they ask for what Git does, not only for
 * what this service does.
 */

import { cases, selectCases, type Target } from '@packhouse/conformance';
import { conformanceTests } from '@packhouse/conformance/vitest';
import { expect } from 'vitest';
import { stockGit } from './support/stock-git.ts';

const features = ['wait-for-done', 'sideband-all', 'object-info'].map((name) => `git/commands/${name}`);
const patterns = ['git/shallow/*', 'git/filters/*', 'git/clients/*', ...features];

/** What the specification asks for and stock Git 2.39 does otherwise. */
const otherwise: readonly RegExp[] = [
  // Ends without a word in version 0, or with texts of its own.
  /^git\/shallow\/(?:refusals|zero)-/,
  /^git\/filters\/refused$/,
  // Counts from each line of the client, as Git did before 2.54.
  /^git\/shallow\/relative-(?:elsewhere|nearest)-/,
  /^git\/clients\/deepen-merged$/,
  // Sends again what a commit had that is no boundary any more.
  /^git\/shallow\/nothing-twice-/,
  // Forgets what another part of the filter met at a deeper place.
  /^git\/filters\/combined-by-place-/,
  // Does so, too, with what is wanted by id and met again at another place.
  /^git\/filters\/random$/,
  // Leans on what another filter may have left out.
  /^git\/filters\/bases$/,
  // Tells wanted refs before the boundary, which its own client refuses; so it is not let offer them here.
  /^git\/clients\/want-ref$/,
  // Opened by any credential here, and refuses in words of its own.
  /^git\/clients\/(?:atomic|(?:wrong-)?credential-helper|refusals-shown|isomorphic-git-refusals)$/,
];

let target: Target | undefined;
conformanceTests({
  name: 'stock git',
  environment: process.env,
  cases: selectCases(cases, patterns).filter(({ id }) => !otherwise.some((form) => form.test(id))),
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
