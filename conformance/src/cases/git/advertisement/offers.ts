/** GIT-044, GIT-047 and GIT-051 of docs/specification/git.md: optional features. */

import assert from 'node:assert/strict';
import { suite, type Case, type Suite } from '../../../core/case.ts';
import { advertised, fetchFeatures } from '../../../tools/advertised.ts';
import { change } from '../../../tools/made-objects.ts';
import { repoWith } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { commandBody, linesOf, packOf, post } from '../../../tools/wire-client.ts';

const first = change('first');

/** The places that announce a feature. */
interface Places {
  /** Words among the capabilities of versions 0 and 1. */
  readonly old?: readonly string[];
  /** A word among the features of `fetch` in version 2, or a separate capability. */
  readonly new: string;
  readonly beyond?: true;
}

/** Declares a case for one feature: a service with the feature announces it in each version. */
function offers(word: string, requirement: string, { old = [], new: inNew, beyond }: Places): Case {
  return {
    id: `git/advertisement/offers-${word}`,
    requirements: [requirement],
    level: 'MUST',
    ...(beyond === undefined ? {} : { beyond }),
    explanation: `A service that has ${word} advertises it in every version of the protocol that knows it.`,
    async run(t) {
      const repo = await repoWith(t, { 'refs/heads/main': first }, first.all);
      const versions = {
        0: await advertised(repo, 'git-upload-pack', 0),
        1: await advertised(repo, 'git-upload-pack', 1),
        2: [...(await advertised(repo, 'git-upload-pack', 2)), ...(await fetchFeatures(repo))],
      };
      const all = Object.values(versions).flat();
      // Other servers need not list the attributes of object-info.
      const form = (one: string): string => (repo.foreign === true ? (one.split('=')[0] ?? one) : one);
      if (![...old, inNew].some((one) => all.map(form).includes(form(one))))
        t.unsupported(`${word} is not advertised: version 2 has ${versions[2].join(', ')}`);
      for (const [version, found] of Object.entries(versions)) {
        const missing = (version === '2' ? [inNew] : old).filter((one) => !found.map(form).includes(form(one)));
        same(missing, [], `Version ${version} advertises it; the list has what is missing.`);
      }
    },
  };
}

const shallow = ['shallow', 'deepen-since', 'deepen-not', 'deepen-relative'];

export const gitAdvertisementOffers: Suite = suite(
  offers('shallow', 'GIT-044', { old: shallow, new: 'shallow' }),
  offers('filter', 'GIT-044', { old: ['filter'], new: 'filter', beyond: true }),
  offers('sideband-all', 'GIT-047', { new: 'sideband-all' }),
  offers('wait-for-done', 'GIT-047', { new: 'wait-for-done', beyond: true }),
  offers('ref-in-want', 'GIT-047', { new: 'ref-in-want', beyond: true }),
  offers('object-info', 'GIT-047', { new: 'object-info=size', beyond: true }),
  {
    id: 'git/advertisement/optional',
    requirements: ['GIT-051', 'GIT-048'],
    level: 'MUST',
    beyond: true,
    own: true,
    explanation: 'server-option, bundle-uri and packfile-uris work if they are advertised, and else are unknown.',
    async run(t) {
      const repo = await repoWith(t, { 'refs/heads/main': first }, first.all);
      const capabilities = (await advertised(repo, 'git-upload-pack', 2)).map((word) => word.split('=')[0]);
      const features = await fetchFeatures(repo);
      const ask = async (name: string, words: readonly string[], more: readonly string[] = []): Promise<Buffer> => {
        const { status, body } = await post(repo, commandBody(name, words, more));
        assert.equal(status, 200, `${name} with [${words.join(', ')}] is answered 200.`);
        return body;
      };
      const option = linesOf(await ask('ls-refs', [], ['server-option=x']));
      const listed = ['HEAD', 'refs/heads/main'].map((name) => `${first.oid} ${name}`);
      same(
        option,
        capabilities.includes('server-option') ? [...listed, 'flush'] : ["ERR unknown capability 'server-option'"],
        'server-option is as advertised.',
      );
      const bundles = linesOf(await ask('bundle-uri', []));
      if (capabilities.includes('bundle-uri')) same(bundles.at(-1), 'flush', 'The list of bundles ends.');
      else same(bundles, ["ERR unknown command 'bundle-uri'"], 'bundle-uri is no command.');
      const reply = await ask('fetch', ['packfile-uris https', `want ${first.oid}`, 'done']);
      if (features.includes('packfile-uris')) assert.ok(packOf(reply).length > 0, 'A pack follows the addresses.');
      else same(linesOf(reply), ["ERR unexpected line: 'packfile-uris https'"], 'packfile-uris is no argument.');
    },
  },
);
