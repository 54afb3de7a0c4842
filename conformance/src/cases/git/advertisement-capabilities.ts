/** GIT-044, GIT-045 and GIT-047 to GIT-050 of docs/specification/git.md: what is advertised, and what is not. */

import assert from 'node:assert/strict';
import { suite, type Case, type Suite } from '../../core/case.ts';
import type { Context, TestRepo } from '../../core/context.ts';
import { change, noObject, pack } from '../../tools/made-objects.ts';
import { repoWith } from '../../tools/repo-with.ts';
import { same } from '../../tools/same.ts';
import {
  commandBody,
  discover,
  fetchBody,
  flush,
  linesOf,
  packet,
  post,
  push,
  pushBody,
  remove,
  reportOf,
  set,
  uploadBody,
  type Remote,
} from '../../tools/wire-client.ts';

const first = change('first');

function plainRepo(t: Context): Promise<TestRepo> {
  return repoWith(t, { 'refs/heads/main': first }, first.all);
}

/** What the specification lets a service advertise. `beyond`: the public service need not have it. `optional`: it may not be there yet. */
interface Known {
  readonly needed: readonly string[];
  readonly beyond: readonly string[];
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

/** Capabilities of a discovery, without the values that each reply chooses itself. */
async function advertised(repo: Remote, service: 'git-upload-pack' | 'git-receive-pack', version: 0 | 1 | 2) {
  const { lines } = await discover(repo, { service, version });
  const words =
    version === 2
      ? lines.slice(3, -1)
      : ((lines[version === 1 ? 3 : 2] ?? '').split('\0')[1] ?? '').split(' ').filter((word) => word !== '');
  return words.map((word) => word.replace(/^(agent|session-id|fetch)=.*/, '$1'));
}

/** The words of `fetch=` in version 2. */
async function fetchFeatures(repo: Remote): Promise<string[]> {
  const { lines } = await discover(repo, { version: 2 });
  const line = lines.find((found) => found.startsWith('fetch=')) ?? 'fetch=';
  return line
    .slice('fetch='.length)
    .split(' ')
    .filter((word) => word !== '');
}

function requireAll(found: readonly string[], needed: readonly string[], where: string): void {
  const missing = needed.filter((word) => !found.includes(word));
  same(missing, [], `${where} advertises what the specification asks for; the list has what is missing.`);
}

function requireKnown(found: readonly string[], { needed, beyond, optional }: Known, where: string): void {
  const unknown = found.filter((word) => ![...needed, ...beyond, ...optional].includes(word));
  same(unknown, [], `${where} advertises nothing else; the list has what is unknown.`);
  assert.equal(new Set(found).size, found.length, `${where} advertises nothing twice.`);
}

/** A case for something that a service may not have yet: if it has, it says so in each version. */
function offered(
  word: string,
  requirement: string,
  where: { v0?: readonly string[]; v2: string; beyond?: true },
): Case {
  return {
    id: `git/advertisement/offers-${word}`,
    requirements: [requirement],
    level: 'MUST',
    ...(where.beyond ? { beyond: true } : {}),
    explanation: `A service that has ${word} advertises it in every version of the protocol that knows it.`,
    async run(t) {
      const repo = await plainRepo(t);
      const inVersion2 =
        word === 'object-info' ? await advertised(repo, 'git-upload-pack', 2) : await fetchFeatures(repo);
      const inOthers = await advertised(repo, 'git-upload-pack', 0);
      const old = where.v0 ?? [];
      if (!inVersion2.includes(where.v2) && !old.some((one) => inOthers.includes(one)))
        t.unsupported(`${word} is not advertised: version 2 has ${inVersion2.join(' ') || 'no features of fetch'}`);
      requireAll(inVersion2, [where.v2], 'Version 2');
      requireAll(inOthers, old, 'Version 0');
      requireAll(await advertised(repo, 'git-upload-pack', 1), old, 'Version 1');
    },
  };
}

/** The two halves of a rule about capabilities: what everybody has, and what goes beyond. */
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
        const unknown = (await fetchFeatures(repo)).filter((word) => !features.includes(word));
        same(unknown, [], 'The list has features of fetch that are not in the specification.');
      }
    },
  },
  offered('shallow', 'GIT-044', { v0: ['shallow', 'deepen-since', 'deepen-not', 'deepen-relative'], v2: 'shallow' }),
  offered('filter', 'GIT-044', { v0: ['filter'], v2: 'filter', beyond: true }),
  offered('sideband-all', 'GIT-047', { v2: 'sideband-all' }),
  offered('wait-for-done', 'GIT-047', { v2: 'wait-for-done', beyond: true }),
  offered('ref-in-want', 'GIT-047', { v2: 'ref-in-want', beyond: true }),
  offered('object-info', 'GIT-047', { v2: 'object-info=size', beyond: true }),
  {
    id: 'git/advertisement/agent',
    requirements: ['GIT-049', 'REPO-022'],
    level: 'MUST',
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
        assert.match(/agent=([!-~]+)/.exec(text)?.[1] ?? '', t.dialect.agent, `${service} in version ${version}`);
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
  {
    id: 'git/advertisement/unknown-capability-version-2',
    requirements: ['GIT-048'],
    level: 'MUST',
    explanation: 'Version 2 refuses a capability that was not advertised, by its name.',
    async run(t) {
      const repo = await plainRepo(t);
      for (const word of ['none-such=x', 'session', 'filter']) {
        const { body } = await post(repo, commandBody('ls-refs', [], [word]));
        same(linesOf(body), [`ERR unknown capability '${word.split('=')[0]}'`], `${word} was not advertised.`);
      }
    },
  },
  {
    id: 'git/advertisement/unknown-capability-ignored',
    requirements: ['GIT-048'],
    level: 'MUST',
    explanation: 'Versions 0 and 1 and receive-pack ignore a capability that was not advertised.',
    async run(t) {
      const repo = await plainRepo(t);
      const words = 'ofs-delta none-such allow-any-sha1-in-want x=y';
      for (const version of [0, 1] as const) {
        const { status, body } = await post(repo, uploadBody([first.oid], [], words), { version });
        same([status, body.toString('latin1', 0, 12)], [200, '0008NAK\nPACK'], 'The pack comes all the same.');
      }
      const ref = 'refs/heads/ignored';
      const made = await push(repo, [set(ref, first)], pack(), 'none-such x=y no-thin');
      same(made, ['unpack ok', `ok ${ref}`], 'The push is accepted all the same.');
      const gone = await push(repo, [remove(ref, first)], undefined, 'none-such');
      same(gone, ['unpack ok', `ok ${ref}`], 'So is a delete.');
    },
  },
  {
    id: 'git/advertisement/push-certificate',
    requirements: ['GIT-048'],
    level: 'MUST',
    explanation: 'A push certificate is refused in the report, since nobody checks it.',
    async run(t) {
      const repo = await plainRepo(t);
      const certificate = [
        'certificate version 0.1\n',
        'pusher ada\n',
        'nonce x\n',
        '\n',
        `${noObject} ${first.oid} refs/heads/signed\n`,
        '-----BEGIN PGP SIGNATURE-----\n',
        'x\n',
        '-----END PGP SIGNATURE-----\n',
        'push-cert-end\n',
      ];
      const start = packet('push-cert\0report-status side-band-64k\n');
      const body = Buffer.concat([start, ...certificate.map((line) => packet(line)), flush, pack()]);
      const reply = await post(repo, body, { service: 'git-receive-pack', version: 0 });
      same(
        reportOf(reply.body),
        ['unpack push certificates are not supported', 'ng refs/heads/signed unpacker error'],
        'The report says that certificates are not supported.',
      );
    },
  },
  {
    id: 'git/advertisement/object-formats',
    requirements: ['GIT-050', 'GIT-163'],
    level: 'MUST',
    explanation: 'A client of another object format is refused with its name, in every service and version.',
    async run(t) {
      const repo = await plainRepo(t);
      const long = '1'.repeat(64);
      const refused = async (body: Buffer, version: 0 | 1 | 2, name: string): Promise<void> => {
        const reply = linesOf((await post(repo, body, { version })).body);
        same(reply, [`ERR unsupported object format '${name}'`], `Version ${version} refuses ${name}.`);
      };
      for (const name of ['sha256', 'md5']) {
        await refused(commandBody('ls-refs', [], [`object-format=${name}`]), 2, name);
        for (const version of [0, 1] as const)
          await refused(uploadBody([first.oid], [], `object-format=${name}`), version, name);
      }
      await refused(fetchBody([long], []), 2, 'sha256');
      await refused(fetchBody([first.oid], [long]), 2, 'sha256');
      await refused(uploadBody([long], [], ''), 0, 'sha256');
      await refused(uploadBody([first.oid], [long], ''), 0, 'sha256');
      const command = { old: '0'.repeat(64), new: long, ref: 'refs/heads/long' };
      const body = pushBody([command], pack(), 'report-status side-band-64k');
      const reply = await post(repo, body, { service: 'git-receive-pack', version: 0 });
      same(
        reportOf(reply.body),
        ["unpack unsupported object format 'sha256'", 'ng refs/heads/long unpacker error'],
        'A push of long ids is told so in its report.',
      );
    },
  },
);
