/** The recorded exchanges of `exchanges/git/`: stock git's requests again, and replies that say the same. */

import { suite, type Case, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { governedSettings, only } from '../../../steps/settings.ts';
import { advertised } from '../../../tools/advertised.ts';
import { refsOf } from '../../../tools/hosted-objects.ts';
import { noObject, type MadeObject } from '../../../tools/made-objects.ts';
import { readPack } from '../../../tools/pack-contents.ts';
import { exchangeBody, readRecording, type Exchange, type Recording } from '../../../tools/recording.ts';
import { same } from '../../../tools/same.ts';
import { accepted } from '../../../steps/repo-with.ts';
import { advertisementOf, capabilitiesOf, fetchedOf, listedOf, reportedOf } from './replies.ts';
import { withoutVersions } from '../../../tools/wire-client.ts';
import { requestBody } from './requests.ts';

type Version = Recording['version'];

interface Scenario {
  readonly name: string;
  readonly requirements: readonly string[];
  /** The action of stock git, as a verb of a sentence. */
  readonly what: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** True if only Git 2.54 and later answer so. */
  readonly own?: boolean;
}

const listing = ['GIT-040', 'GIT-043', 'GIT-091'];
const fetching = [...listing, 'GIT-060', 'GIT-065', 'GIT-067'];
const boundaries = [...fetching, 'GIT-072', 'GIT-074', 'GIT-076'];
const pushing = ['GIT-042', 'GIT-110', 'GIT-112', 'GIT-113', 'GIT-125'];

const fetches: readonly Scenario[] = [
  { name: 'ls-remote', requirements: listing, what: 'lists all refs' },
  { name: 'ls-remote-empty', requirements: listing, what: 'lists the refs of an empty repo' },
  { name: 'ls-remote-branches', requirements: listing, what: 'lists some branches' },
  { name: 'clone', requirements: fetching, what: 'clones' },
  { name: 'clone-empty', requirements: listing, what: 'clones an empty repo' },
  { name: 'fetch-nothing-new', requirements: listing, what: 'fetches when nothing is new' },
  { name: 'fetch-new-commits', requirements: fetching, what: 'fetches new commits' },
  { name: 'fetch-diverged', requirements: fetching, what: 'fetches with many commits that the server lacks' },
  { name: 'fetch-unrelated', requirements: fetching, what: 'fetches into an unrelated history' },
  { name: 'fetch-shallow', requirements: boundaries, what: 'fetches one commit with --depth' },
  { name: 'fetch-deepen-merged', requirements: boundaries, what: 'deepens a history with a merge', own: true },
  {
    name: 'fetch-deepen-uneven',
    requirements: boundaries,
    what: 'deepens two branches cut at different depths',
    own: true,
  },
  { name: 'fetch-deepen-whole', requirements: boundaries, what: 'deepens a history that is not cut' },
  { name: 'fetch-unshallow-branch', requirements: boundaries, what: 'fetches all that a depth left out' },
];

const pushes: readonly Scenario[] = [
  { name: 'push-to-empty', requirements: pushing, what: 'pushes to an empty repo' },
  { name: 'push-update', requirements: pushing, what: 'pushes two commits' },
  { name: 'push-nothing-new', requirements: ['GIT-040', 'GIT-042'], what: 'pushes nothing' },
  { name: 'push-delete', requirements: [...pushing, 'GIT-127'], what: 'deletes a branch and a tag' },
  { name: 'push-delete-and-create', requirements: pushing, what: 'deletes one ref and creates others' },
  { name: 'push-atomic-with-options', requirements: [...pushing, 'GIT-151'], what: 'pushes --atomic with options' },
  {
    name: 'push-refused-forced',
    requirements: [...pushing, 'GIT-126'],
    what: 'is refused a step back',
    settings: only(governedSettings, 'deny_non_fast_forward'),
  },
  {
    name: 'push-refused-hidden',
    requirements: [...pushing, 'GIT-129'],
    what: 'is refused a hidden ref',
    settings: only(governedSettings, 'hidden_refs'),
  },
];

const versions: readonly Version[] = [0, 1, 2];

/** Fills a repo with what the server had when the exchanges were recorded. */
async function prepare(t: Context, { before }: Recording): Promise<TestRepo> {
  const repo = await t.createRepo();
  const commands = Object.entries(before.refs).map(([ref, oid]) => ({ old: noObject, new: oid, ref }));
  if (commands.length > 0) await accepted(repo, commands, Buffer.from(before.pack, 'base64'));
  return repo;
}

function heldAt({ before }: Recording): readonly MadeObject[] {
  const pack = Buffer.from(before.pack, 'base64');
  return [...readPack(pack).objects.values()];
}

/** Sends the requests of a recording, and compares what the replies say. */
async function replay(t: Context, repo: TestRepo, recording: Recording): Promise<void> {
  const { version, exchanges } = recording;
  if (version === 1 && repo.isOld === true) t.unsupported(withoutVersions);
  const held = heldAt(recording);
  let offered: ReadonlySet<string> = new Set();
  for (const [at, exchange] of exchanges.entries()) {
    const what = `Reply ${at + 1} of ${exchanges.length} of ${recording.scenario} in version ${version}`;
    const reply = await send(repo, version, exchange, offered);
    const expected = Buffer.from(exchangeBody(exchange.response.body));
    same(reply.status, exchange.response.status, `${what}: the status.`);
    same(reply.type, exchange.response.headers['content-type'], `${what}: the type.`);
    if (exchange.request.method === 'GET') {
      offered = capabilitiesOf(reply.body);
      const isPush = exchange.request.target.endsWith('git-receive-pack');
      // A server that speaks version 2 for fetches alone answers a push in version 0 or 1.
      const spoken = isPush && version === 2 ? 0 : version;
      same(advertisementOf(spoken, reply.body), advertisementOf(spoken, expected), `${what}: the advertised refs.`);
    } else if (exchange.request.target.endsWith('git-receive-pack')) {
      same(reportedOf(reply.body), reportedOf(expected), `${what}: the report.`);
    } else if (Buffer.from(exchangeBody(exchange.request.body)).includes('command=ls-refs')) {
      same(listedOf(reply.body), listedOf(expected), `${what}: the refs.`);
    } else {
      same(fetchedOf(reply.body, held), fetchedOf(expected, held), `${what}: boundary, common commits and objects.`);
    }
  }
}

async function send(
  repo: TestRepo,
  version: Version,
  exchange: Exchange,
  offered: ReadonlySet<string>,
): Promise<{ readonly status: number; readonly type: string | null; readonly body: Buffer }> {
  const { method, target, headers } = exchange.request;
  // Bodies are recorded decoded.
  const { 'content-encoding': _, ...others } = headers;
  const init = method === 'GET' ? {} : { body: requestBody(version, exchange, offered) as BodyInit };
  const response = await repo.fetch(`${repo.remote}${target.slice('/repo.git'.length)}`, {
    method,
    headers: { authorization: `Bearer ${repo.token}`, ...others },
    ...init,
  });
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, type: response.headers.get('content-type'), body };
}

function fetchCase({ name, requirements, what, own }: Scenario): Case {
  return {
    id: `git/recorded/${name}`,
    requirements,
    level: 'MUST',
    ...(own === undefined ? {} : { own }),
    explanation: `When stock git ${what}, replies say what those of git http-backend said, in each version.`,
    async run(t) {
      const repo = await prepare(t, readRecording(name, 0));
      if (requirements.includes('GIT-072') && !(await advertised(repo, 'git-upload-pack', 0)).includes('shallow'))
        t.unsupported('shallow is not advertised');
      for (const version of versions) await replay(t, repo, readRecording(name, version));
    },
  };
}

/** One case a version, so that a server with one repository can empty it in between. */
function pushCases({ name, requirements, what, settings }: Scenario): Case[] {
  return versions.map((version) => ({
    id: `git/recorded/${name}-v${version}`,
    requirements,
    level: 'MUST',
    ...(settings === undefined ? {} : { settings, needs: ['settings' as const] }),
    explanation: `When stock git ${what} with protocol.version ${version}, report and refs are those of git http-backend.`,
    async run(t) {
      const recording = readRecording(name, version);
      const repo = await prepare(t, recording);
      await replay(t, repo, recording);
      same(await refsOf(repo), recording.after, 'The refs at the end.');
    },
  }));
}

export const gitRecorded: Suite = suite(...fetches.map(fetchCase), ...pushes.flatMap(pushCases));
