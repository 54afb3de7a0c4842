/** Lists of a repository that exists. Nothing is changed. */

import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { suite, type Suite } from '../../../core/case.ts';
import { same } from '../../../tools/same.ts';
import { commandBody, discover, flush, linesOf, post } from '../../../tools/wire-client.ts';
import { needVersion2, newListing, oldListing, tipOf, type ListedRef } from './repository.ts';

const reads = { level: 'MUST', readOnly: true, needs: ['repo to read'] } as const;

/** Returns refs in an order that does not depend on the service. */
function sorted(refs: readonly ListedRef[]): ListedRef[] {
  return [...refs].sort((a, b) => (a.name < b.name ? -1 : 1));
}

export const gitExistingLists: Suite = suite(
  {
    ...reads,
    id: 'git/existing/advertisements',
    requirements: ['GIT-040', 'GIT-043', 'GIT-091'],
    explanation: 'Versions 0, 1 and 2 list the same refs, with the same ids, and the same targets of tags.',
    async run(t) {
      const repo = t.existing;
      const plain = await oldListing(repo, 0);
      same(await oldListing(repo, 1), plain, 'Version 1 lists what version 0 lists.');
      const { refs } = await newListing(t, repo);
      same(sorted(refs), sorted(plain.refs), 'Version 2 lists the same refs.');
    },
  },
  {
    ...reads,
    id: 'git/existing/head',
    requirements: ['GIT-043', 'GIT-091', 'GIT-130'],
    explanation: 'HEAD is listed with the value of the branch that it names, alike in every version.',
    async run(t) {
      const repo = t.existing;
      await tipOf(t, repo);
      const { refs, head } = await oldListing(repo, 0);
      const value = (name: string | undefined): string | undefined => refs.find((ref) => ref.name === name)?.oid;
      if (value('HEAD') === undefined) return t.note('HEAD is unborn');
      if (head === undefined) t.note('version 0 does not tell which branch HEAD names');
      else same(value('HEAD'), value(head), 'HEAD has the value of its branch.');
      const fresh = await newListing(t, repo, ['ref-prefix HEAD']);
      if (head !== undefined) same(fresh.head, head, 'Version 2 names the same branch.');
      same(fresh.refs[0]?.oid, value('HEAD'), 'Version 2 tells the same value.');
    },
  },
  {
    ...reads,
    id: 'git/existing/ref-prefixes',
    requirements: ['GIT-091'],
    explanation: 'ls-refs lists the refs that begin with a prefix; peel tells what tags lead to.',
    async run(t) {
      const repo = t.existing;
      const all = await newListing(t, repo);
      for (const prefix of ['refs/heads/', 'refs/tags/', 'refs/none-such/']) {
        const { refs } = await newListing(t, repo, [`ref-prefix ${prefix}`]);
        // Servers may list more than was asked for, as gitprotocol-v2(5) says.
        const missing = all.refs.filter(
          ({ name }) => name.startsWith(prefix) && !refs.some((ref) => ref.name === name),
        );
        same(missing, [], `All refs that begin with ${prefix} are listed.`);
      }
      const { body } = await post(repo, commandBody('ls-refs'));
      assert.doesNotMatch(
        linesOf(body).join('\n'),
        / (?:peeled|symref-target):/,
        'Without being asked it tells neither.',
      );
    },
  },
  {
    ...reads,
    id: 'git/existing/gzip',
    requirements: ['GIT-011'],
    explanation: 'A request whose body is gzipped is answered like the plain one.',
    async run(t) {
      const repo = t.existing;
      await needVersion2(t, repo);
      const body = commandBody('ls-refs', ['peel']);
      const plain = await post(repo, body);
      const zipped = await post(repo, gzipSync(body), { headers: { 'content-encoding': 'gzip' } });
      same([zipped.status, linesOf(zipped.body)], [plain.status, linesOf(plain.body)], 'The replies are the same.');
    },
  },
  {
    ...reads,
    id: 'git/existing/flush',
    requirements: ['GIT-009', 'GIT-013'],
    explanation: 'Replies have the media types of Git, and a single flush is answered with nothing.',
    async run(t) {
      const repo = t.existing;
      const found = await discover(repo);
      const advertisement = 'application/x-git-upload-pack-advertisement';
      same([found.status, found.headers.get('content-type')], [200, advertisement], 'Discovery has its media type.');
      const { status, headers, body } = await post(repo, flush, { version: 0 });
      const result = 'application/x-git-upload-pack-result';
      same([status, headers.get('content-type'), body.length], [200, result, 0], 'A flush is answered with nothing.');
    },
  },
  {
    ...reads,
    id: 'git/existing/unknown-service',
    requirements: ['GIT-006'],
    explanation: 'A service that Git does not have over HTTP is not advertised.',
    async run(t) {
      const repo = t.existing;
      for (const service of ['git-none-such', 'git-upload-archive']) {
        const response = await repo.fetch(`${repo.remote}/info/refs?service=${service}`, {
          headers: { authorization: `Bearer ${repo.token}` },
        });
        const text = await response.text();
        assert.ok(response.status < 500, `service=${service} is answered ${response.status}.`);
        assert.ok(!text.includes(`# service=${service}`), `${service} is not advertised.`);
      }
    },
  },
  {
    ...reads,
    id: 'git/existing/dumb-protocol',
    requirements: ['GIT-005'],
    explanation: 'Requests of the dumb protocol are served or refused, and never break the server.',
    async run(t) {
      const repo = t.existing;
      for (const path of ['/info/refs', '/HEAD', '/objects/info/packs', `/objects/11/${'1'.repeat(38)}`]) {
        const response = await repo.fetch(repo.remote + path, { headers: { authorization: `Bearer ${repo.token}` } });
        await response.body?.cancel();
        assert.ok(response.status < 500, `GET ${path} is answered ${response.status}.`);
      }
    },
  },
);
