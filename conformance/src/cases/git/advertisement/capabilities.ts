/** GIT-044, GIT-045 and GIT-047 to GIT-049 of docs/specification/git.md: the advertised capabilities. */

import assert from 'node:assert/strict';
import { suite, type Case, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { advertised, fetchFeatures } from '../../../tools/advertised.ts';
import { change } from '../../../tools/made-objects.ts';
import { repoWith } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { commandBody, discover, linesOf, post } from '../../../tools/wire-client.ts';

const first = change('first');

function plainRepo(t: Context): Promise<TestRepo> {
  return repoWith(t, { 'refs/heads/main': first }, first.all);
}

/** The capabilities that the specification allows. */
interface Known {
  readonly needed: readonly string[];
  /** Capabilities that the public service may lack. */
  readonly beyond: readonly string[];
  /** Capabilities with a separate case (`git/advertisement/offers-...`), or that may be left out. */
  readonly optional: readonly string[];
}

const upload: Known = {
  needed: [
    'multi_ack',
    'multi_ack_detailed',
    'no-done',
    'side-band',
    'side-band-64k',
    'no-progress',
    'allow-tip-sha1-in-want',
    'allow-reachable-sha1-in-want',
    'object-format=sha1',
    'agent',
    'symref=HEAD:refs/heads/main',
  ],
  beyond: ['thin-pack', 'ofs-delta', 'include-tag', 'session-id'],
  optional: ['shallow', 'deepen-since', 'deepen-not', 'deepen-relative', 'filter'],
};

const receive: Known = {
  needed: ['report-status', 'delete-refs', 'ofs-delta', 'side-band-64k', 'object-format=sha1', 'agent'],
  beyond: ['report-status-v2', 'quiet', 'atomic', 'push-options', 'session-id'],
  optional: [],
};

const commands: Known = {
  needed: ['agent', 'ls-refs=unborn', 'fetch', 'object-format=sha1'],
  beyond: ['session-id'],
  optional: ['object-info=size', 'bundle-uri', 'server-option'],
};

const features = ['shallow', 'wait-for-done', 'filter', 'ref-in-want', 'sideband-all', 'packfile-uris'];

function requireAll(found: readonly string[], needed: readonly string[], where: string): void {
  const missing = needed.filter((word) => !found.includes(word));
  same(missing, [], `${where} advertises what the specification asks for; the list has what is missing.`);
}

function requireKnown(found: readonly string[], { needed, beyond, optional }: Known, where: string): void {
  const unknown = found.filter((word) => ![...needed, ...beyond, ...optional].includes(word));
  same(unknown, [], `${where} advertises nothing else; the list has what is unknown.`);
  assert.equal(new Set(found).size, found.length, `${where} advertises nothing twice.`);
}

/** Declares a rule about capabilities as two cases: for every service, and beyond the public service. */
function lists(
  id: string,
  requirement: string,
  what: string,
  known: Known,
  service: 'git-upload-pack' | 'git-receive-pack',
  versions: readonly (0 | 1 | 2)[],
): Case[] {
  return [
    {
      id: `git/advertisement/${id}`,
      requirements: [requirement, 'GIT-048'],
      level: 'MUST',
      own: true,
      explanation: `${what} advertises what the specification lists and nothing that it does not know.`,
      async run(t) {
        const repo = await plainRepo(t);
        for (const version of versions) {
          const found = await advertised(repo, service, version);
          requireAll(found, known.needed, `${what} in version ${version}`);
          requireKnown(found, known, `${what} in version ${version}`);
        }
      },
    },
    {
      id: `git/advertisement/${id}-beyond`,
      requirements: [requirement],
      level: 'MUST',
      beyond: true,
      own: true,
      explanation: `${what} also advertises ${known.beyond.join(', ')}.`,
      async run(t) {
        const repo = await plainRepo(t);
        for (const version of versions)
          requireAll(await advertised(repo, service, version), known.beyond, `${what} in version ${version}`);
      },
    },
  ];
}

export const gitAdvertisementCapabilities: Suite = suite(
  ...lists('upload-pack-capabilities', 'GIT-044', 'Upload-pack', upload, 'git-upload-pack', [0, 1]),
  ...lists('receive-pack-capabilities', 'GIT-045', 'Receive-pack', receive, 'git-receive-pack', [0, 1]),
  ...lists('version-2-capabilities', 'GIT-047', 'Upload-pack', commands, 'git-upload-pack', [2]),
  {
    id: 'git/advertisement/version-2-form',
    requirements: ['GIT-047', 'GIT-048'],
    level: 'MUST',
    explanation: 'Version 2 begins with its number and ends with a flush; fetch has no feature that nobody knows.',
    async run(t) {
      for (const repo of [await plainRepo(t), await t.createRepo()]) {
        const { lines } = await discover(repo, { version: 2 });
        same([lines[2], lines.at(-1)], ['version 2', 'flush'], 'The number is first, a flush last.');
        if (repo.foreign === true) continue;
        const unknown = (await fetchFeatures(repo)).filter((word) => !features.includes(word));
        same(unknown, [], 'The list has features of fetch that are not in the specification.');
      }
    },
  },
  {
    id: 'git/advertisement/agent',
    requirements: ['GIT-049', 'REPO-022'],
    level: 'MUST',
    own: true,
    explanation:
      'The agent is the one of the dialect in each service and version, and that of a client changes nothing.',
    async run(t) {
      const repo = await plainRepo(t);
      for (const [service, version] of [
        ['git-upload-pack', 0],
        ['git-upload-pack', 2],
        ['git-receive-pack', 0],
      ] as const) {
        const text = (await discover(repo, { service, version })).body.toString('latin1');
        // In version 2 a line ends it, otherwise a space.
        const agent = version === 2 ? /agent=(.*)\n/ : /agent=(\S*)/;
        assert.match(agent.exec(text)?.[1] ?? '', t.dialect.agent, `${service} in version ${version}`);
      }
      const own = ['agent=git/1.5 (x)', `session-id=${'s'.repeat(64)}`];
      const told = linesOf((await post(repo, commandBody('ls-refs', [], own))).body);
      same(told, linesOf((await post(repo, commandBody('ls-refs'))).body), 'What clients call themselves is nothing.');
    },
  },
  {
    id: 'git/advertisement/session-id',
    requirements: ['GIT-049'],
    level: 'MUST',
    beyond: true,
    own: true,
    explanation: 'The session id is 1 to 64 printable characters, and another one in each reply.',
    async run(t) {
      const repo = await plainRepo(t);
      const seen = new Set<string>();
      for (const version of [0, 0, 2, 2] as const) {
        const text = (await discover(repo, { version })).body.toString('latin1');
        const id = /session-id=([!-~]{1,64})(?![!-~])/.exec(text)?.[1];
        assert.ok(id !== undefined, `Version ${version} tells a session id of 1 to 64 characters.`);
        seen.add(id);
      }
      assert.equal(seen.size, 4, 'Four replies have four ids.');
    },
  },
);
