/** GIT-040 to GIT-043, GIT-045, GIT-046 and GIT-091 of docs/specification/git.md: versions, and the listed refs. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { blob, change, commit, pack, tag, tree } from '../../../tools/made-objects.ts';
import { accepted, repoWith } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { commandBody, discover, linesOf, post, set, withoutVersions } from '../../../tools/wire-client.ts';

const first = change('first');
const second = change('second', first);
const inner = tag('inner', first);
const outer = tag('outer', inner);
const treeTag = tag('tree', first.root);
const lone = blob('lone\n');

const refs = {
  'refs/heads/Main': second,
  'refs/heads/main': first,
  'refs/heads/main-2': second,
  'refs/heads/mainz': first,
  'refs/heads/\u00e4': first,
  'refs/notes/commits': second,
  'refs/other/blob': lone,
  'refs/tags/inner': inner,
  'refs/tags/light': first,
  'refs/tags/outer': outer,
  'refs/tags/tree': treeTag,
};

const peeled: Readonly<Record<string, string>> = {
  'refs/tags/inner': first.oid,
  'refs/tags/outer': first.oid,
  'refs/tags/tree': first.root.oid,
};

function repoOfMany(t: Context): Promise<TestRepo> {
  const objects = [...first.all, ...second.all, inner, outer, treeTag, lone];
  return repoWith(t, refs, objects, { body: { default_branch: 'Main' } });
}

/** Returns the refs as they must be listed: sorted by their bytes. */
function listed(withPeeled: boolean): string[] {
  const sorted = Object.entries(refs).sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return sorted.flatMap(([name, { oid }]) => {
    const shown = Buffer.from(name).toString('latin1');
    const target = withPeeled ? peeled[name] : undefined;
    return target === undefined ? [`${oid} ${shown}`] : [`${oid} ${shown}`, `${target} ${shown}^{}`];
  });
}

const withoutCapabilities = (line: string): string => line.split('\0')[0] ?? '';

/** Headers that a client may send, each with the version of the reply. */
const headers: readonly (readonly [string | undefined, 0 | 1 | 2])[] = [
  [undefined, 0],
  ['', 0],
  ['version=0', 0],
  ['version=1', 1],
  ['version=2', 2],
  ['version=1:version=2', 2],
  ['version=2:version=1', 2],
  ['version=0:version=1', 1],
  ['version=3', 0],
  ['version=3:version=1', 1],
  ['version=22', 0],
  ['key=value:version=2:other', 2],
  ['VERSION=2', 0],
];

export const gitAdvertisementLists: Suite = suite(
  {
    id: 'git/advertisement/versions',
    requirements: ['GIT-040', 'GIT-041'],
    level: 'MUST',
    explanation: 'The highest version that Git-Protocol names and the service knows is spoken, else version 0.',
    async run(t) {
      const repo = await repoWith(t, { 'refs/heads/main': first }, first.all);
      if (repo.isOld === true) t.unsupported(withoutVersions);
      for (const [header, version] of headers) {
        const response = await repo.fetch(`${repo.remote}/info/refs?service=git-upload-pack`, {
          headers: {
            authorization: `Bearer ${repo.token}`,
            ...(header === undefined ? {} : { 'git-protocol': header }),
          },
        });
        const body = Buffer.from(await response.arrayBuffer());
        const lines = linesOf(body);
        // gitprotocol-v2(5) leaves out the line of the service.
        const isBare = repo.foreign === true && lines[0] === 'version 2';
        if (isBare) lines.unshift('# service=git-upload-pack', 'flush');
        const sent = `Git-Protocol: ${header ?? '(none)'}`;
        const start = `001e# service=git-upload-pack\n0000${version === 1 ? '000eversion 1\n' : ''}`;
        if (!isBare)
          assert.equal(
            body.toString('latin1', 0, start.length),
            start,
            `Lines that end in LF begin the reply. ${sent}`,
          );
        const found = lines[2] === 'version 1' ? 1 : lines[2] === 'version 2' ? 2 : 0;
        assert.equal(found, version, `Version ${version} is spoken. ${sent}`);
      }
    },
  },
  {
    id: 'git/advertisement/version-of-post',
    requirements: ['GIT-040'],
    level: 'MUST',
    own: true,
    explanation: 'The header decides for POST, too: what is a command in version 2 is broken in version 0.',
    async run(t) {
      const repo = await repoWith(t, { 'refs/heads/main': first }, first.all);
      const body = commandBody('ls-refs');
      const { body: reply } = await post(repo, body, { version: 2 });
      same(
        linesOf(reply),
        [`${first.oid} HEAD`, `${first.oid} refs/heads/main`, 'flush'],
        'In version 2 the refs are listed.',
      );
      const plain = await repo.fetch(`${repo.remote}/git-upload-pack`, {
        method: 'POST',
        headers: { authorization: `Bearer ${repo.token}`, 'content-type': 'application/x-git-upload-pack-request' },
        body: body.toString(),
      });
      await plain.arrayBuffer();
      assert.equal(plain.status, 400, 'Without the header it is a delim outside version 2.');
    },
  },
  {
    id: 'git/advertisement/receive-pack-versions',
    requirements: ['GIT-042', 'GIT-041'],
    level: 'MUST',
    explanation: 'Receive-pack answers version 2 as version 0, and version 1 as version 1.',
    async run(t) {
      const repo = await repoWith(t, { 'refs/heads/main': first }, first.all);
      const at = async (version: 0 | 1 | 2): Promise<string[]> => {
        const { lines } = await discover(repo, { service: 'git-receive-pack', version });
        const named = lines.map((line) => line.replace(/session-id=\S+/, ''));
        // gitprotocol-v2(5) has no line of the service, so another server may leave it out here, too.
        const isNamed = named[0]?.startsWith('# service=') === true;
        return repo.foreign === true && !isNamed ? ['# service=git-receive-pack', 'flush', ...named] : named;
      };
      const plain = await at(0);
      same(plain.slice(0, 2), ['# service=git-receive-pack', 'flush'], 'The service is named first.');
      same(await at(2), plain, 'Version 2 is answered as version 0.');
      same(await at(1), [...plain.slice(0, 2), 'version 1', ...plain.slice(2)], 'Version 1 is told, then goes on.');
    },
  },
  {
    id: 'git/advertisement/upload-pack-refs',
    requirements: ['GIT-043', 'GIT-122'],
    level: 'MUST',
    explanation: 'Versions 0 and 1 list HEAD, then the refs by their bytes, each tag object with what it peels to.',
    async run(t) {
      const repo = await repoOfMany(t);
      for (const version of [0, 1] as const) {
        const { lines } = await discover(repo, { version });
        const shown = lines.slice(version === 1 ? 3 : 2);
        assert.match(shown[0] ?? '', /\0/, 'Capabilities follow a NUL on the first line.');
        same(
          [withoutCapabilities(shown[0] ?? ''), ...shown.slice(1)],
          [`${second.oid} HEAD`, ...listed(true), 'flush'],
          `Version ${version} lists HEAD and the refs.`,
        );
      }
    },
  },
  {
    id: 'git/advertisement/receive-pack-refs',
    requirements: ['GIT-045'],
    level: 'MUST',
    explanation: 'Receive-pack lists the refs alone, without HEAD and without what tags peel to.',
    async run(t) {
      const repo = await repoOfMany(t);
      const { lines } = await discover(repo, { service: 'git-receive-pack' });
      const [head = '', ...others] = lines.slice(2);
      assert.match(head, /\0/, 'Capabilities follow a NUL on the first line.');
      same([withoutCapabilities(head), ...others], [...listed(false), 'flush'], 'The refs are listed.');
    },
  },
  {
    id: 'git/advertisement/empty-repo',
    requirements: ['GIT-046', 'GIT-160'],
    level: 'MUST',
    explanation: 'A repo without refs advertises its capabilities on one line of no object, in both services.',
    async run(t) {
      const repo = await t.createRepo();
      for (const service of ['git-upload-pack', 'git-receive-pack'] as const) {
        for (const version of [0, 1] as const) {
          const { lines } = await discover(repo, { service, version });
          const shown = lines.slice(version === 1 ? 3 : 2);
          assert.match(shown[0] ?? '', /^0{40} capabilities\^\{\}\0/, `${service} tells capabilities alone.`);
          same(shown.slice(1), ['flush'], 'Nothing else is listed.');
          assert.doesNotMatch(shown[0] ?? '', /symref=/, 'HEAD resolves to nothing, so no symref is told.');
        }
      }
    },
  },
  {
    id: 'git/advertisement/stock-git-lists',
    requirements: ['GIT-043', 'GIT-091', 'GIT-170'],
    level: 'MUST',
    needs: ['git'],
    explanation: 'Stock git lists the same refs in every version, and nothing of an empty repo.',
    async run(t) {
      const repo = await repoOfMany(t);
      const empty = await t.createRepo();
      const expected = listed(true).map((line) => Buffer.from(line.replace(' ', '\t'), 'latin1').toString());
      for (const version of ['0', '1', '2']) {
        const args = ['-c', `protocol.version=${version}`, ...repo.auth, 'ls-remote', '--symref', repo.remote];
        const out = await t.git(args);
        same(
          out.trimEnd().split('\n'),
          ['ref: refs/heads/Main\tHEAD', `${second.oid}\tHEAD`, ...expected],
          `git ls-remote lists all in version ${version}.`,
        );
        const none = await t.git(['-c', `protocol.version=${version}`, ...empty.auth, 'ls-remote', empty.remote]);
        assert.equal(none, '', `git ls-remote lists nothing of an empty repo in version ${version}.`);
      }
    },
  },
  {
    id: 'git/advertisement/commit-without-files',
    requirements: ['GIT-043'],
    level: 'MUST',
    explanation: 'A commit without files is pushed and listed like any other.',
    async run(t) {
      const repo = await t.createRepo();
      const root = tree({});
      const node = commit('nothing', root);
      await accepted(repo, [set('refs/heads/main', node)], pack(node, root));
      const { lines } = await discover(repo);
      assert.equal(withoutCapabilities(lines[2] ?? ''), `${node.oid} HEAD`, 'HEAD is the commit without files.');
    },
  },
);
