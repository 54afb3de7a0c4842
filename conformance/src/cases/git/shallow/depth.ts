/** GIT-072 to GIT-077 of docs/specification/git.md: depth by count, by time and by ref, in each version. */

import { suite, type Case, type Level, type Suite } from '../../../core/case.ts';
import {
  askFor,
  fetchRequestBody,
  packIn,
  versions,
  type FetchRequest,
  type Version,
} from '../../../tools/fetch-request.ts';
import { idsOf } from '../../../tools/hosted-objects.ts';
import { dated } from '../../../tools/dated-history.ts';
import { pack, type MadeCommit, type MadeObject } from '../../../tools/made-objects.ts';
import { readPack } from '../../../tools/pack-contents.ts';
import { accepted } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { post, readPackets, set, type Remote } from '../../../tools/wire-client.ts';
import { a, b, c, d, day, e, everything, f, needFeature, shallowRepo, start, tagged, told, x, y } from './history.ts';

const whole = '2147483647';

interface Expected {
  readonly boundary: readonly string[];
  /** Commits that are sent with their trees. */
  readonly commits: readonly MadeCommit[];
  /** Commits that the client has, and need not receive. */
  readonly had?: readonly MadeCommit[];
  readonly tags?: readonly MadeObject[];
  /** Commits that are selected, but not reachable from the wants. Their line has no effect, and stock git sends it. */
  readonly behind?: readonly MadeCommit[];
}

/**
 * Expects the lines and exactly the objects of some commits. Returns ids that were sent although the client has them.
 */
async function expectCut(
  repo: Remote,
  version: Version,
  request: FetchRequest,
  { boundary, commits, had = [], tags = [], behind = [] }: Expected,
): Promise<string[]> {
  const reply = await askFor(repo, version, request);
  const asked = `[${request.depth?.join(', ')}] in version ${version}`;
  // A line for a commit without parents has no effect, either.
  const idle = told([a, ...behind]).filter((line) => !boundary.includes(line));
  const lines = reply.boundary?.filter((line) => !idle.includes(line));
  same(lines, boundary, `${asked} cuts history off where it should.`);
  const owned = new Set(idsOf(had.flatMap(({ all }) => all)));
  const isNew = (oid: string): boolean => !owned.has(oid);
  const expected = idsOf([...commits.flatMap(({ all }) => all), ...tags]).filter(isNew);
  const got = idsOf(readPack(packIn(reply)).objects.values());
  same(got.filter(isNew), expected, `${asked} brings just what is inside.`);
  return got.filter((oid) => !isNew(oid));
}

async function expectRefused(repo: Remote, version: Version, request: FetchRequest, text: string): Promise<void> {
  const { error, pack } = await askFor(repo, version, request);
  if (repo.foreign === true)
    same(pack, undefined, `[${request.depth?.join(', ')}] brings nothing in version ${version}.`);
  else same(error, text, `[${request.depth?.join(', ')}] is refused in version ${version}.`);
}

const none = 'no commits selected for shallow requests';
const exclusive = 'deepen and deepen-since (or deepen-not) cannot be used together';

interface Form {
  readonly id: string;
  readonly requirements: readonly string[];
  /** Default: MUST. */
  readonly level?: Level;
  readonly own?: true;
  readonly explanation: string;
  readonly run: (repo: Remote, version: Version) => Promise<void>;
}

const forms: readonly Form[] = [
  {
    id: 'count',
    requirements: ['GIT-072', 'GIT-065'],
    explanation: 'deepen counts commits from each want along each line, and the boundary comes with whole trees',
    async run(repo, version) {
      for (const [wants, depth, cut, commits] of [
        [[f], '1', [f], [f]],
        [[f], '2', [e], [f, e]],
        [[f], '3', [d, y], [f, e, d, y]],
        [[f], '4', [c, x], [f, e, d, y, c, x]],
        [[f], '5', [b], everything.filter((commit) => commit !== a)],
        [[f], '6', [], everything],
        [[f], whole, [], everything],
        [[f, y], '1', [f, y], [f, y]],
        // A merge comes with its whole tree, even if one of its parents comes, too.
        [[e, y], '1', [e, y], [e, y]],
        // A commit that is near to one want and far from another counts as near.
        [[f, b], '2', [e], [f, e, b, a]],
        [[tagged], '1', [c], [c]],
      ] as const) {
        const tags = wants.filter((want) => want === tagged);
        const request = { wants: wants.map(({ oid }) => oid), depth: [`deepen ${depth}`] };
        await expectCut(repo, version, request, { boundary: told(cut), commits, tags });
      }
    },
  },
  {
    id: 'by-id',
    requirements: ['GIT-077', 'GIT-060', 'GIT-072'],
    explanation: 'Any visible commit comes alone by its id; a want that peels to no commit is not cut',
    async run(repo, version) {
      for (const commit of [a, c, x])
        await expectCut(
          repo,
          version,
          { wants: [commit.oid], depth: ['deepen 1'] },
          { boundary: commit === a ? [] : told([commit]), commits: [commit] },
        );
      const { boundary, ...reply } = await askFor(repo, version, { wants: [c.root.oid, f.oid], depth: ['deepen 1'] });
      same(boundary, told([f]), `A tree beside a commit changes nothing of the boundary in version ${version}.`);
      const inside = idsOf([...f.all, c.root, ...Object.values(c.files)]);
      same(idsOf(readPack(packIn(reply as never)).objects.values()), inside, 'Both come.');
    },
  },
  {
    id: 'zero',
    requirements: ['GIT-072'],
    explanation: 'deepen 0 asks for no depth',
    async run(repo, version) {
      const { boundary, ...reply } = await askFor(repo, version, { wants: [c.oid], depth: ['deepen 0'] });
      same(boundary ?? [], [], `Nothing is cut off in version ${version}.`);
      const { objects } = readPack(packIn(reply as never));
      same(idsOf(objects.values()), idsOf([a, b, c].flatMap(({ all }) => all)), 'All of the history comes.');
    },
  },
  {
    id: 'since',
    requirements: ['GIT-073'],
    explanation: 'deepen-since leaves out what is older than a time; a commit with any parent left out is a boundary',
    async run(repo, version) {
      for (const [days, cut, commits, behind] of [
        [7, [f], [f], []],
        [6, [e], [f, e], []],
        // One parent of e is new enough, but a boundary stops the walk.
        [5, [e], [f, e], [d]],
        [4, [d, y], [f, e, d, y], []],
        [1, [b], everything.filter((commit) => commit !== a), []],
        [0, [], everything, []],
      ] as const) {
        const request = { wants: [f.oid], depth: [`deepen-since ${start + days * day}`] };
        await expectCut(repo, version, request, { boundary: told(cut), commits, behind });
      }
    },
  },
  {
    id: 'not',
    requirements: ['GIT-073'],
    explanation: 'deepen-not leaves out what a ref reaches, named in full or by its short name',
    async run(repo, version) {
      for (const name of ['refs/tags/v1', 'tags/v1', 'v1'])
        await expectCut(
          repo,
          version,
          { wants: [f.oid], depth: [`deepen-not ${name}`] },
          { boundary: told([d, x]), commits: [f, e, d, y, x] },
        );
      for (const name of ['refs/heads/side', 'heads/side', 'side']) {
        // One parent of e is inside, but a boundary stops the walk.
        const cut = { boundary: told([e]), commits: [f, e], behind: [c, d] };
        await expectCut(repo, version, { wants: [f.oid], depth: [`deepen-not ${name}`] }, cut);
      }
      await expectCut(
        repo,
        version,
        { wants: [f.oid], depth: ['deepen-not old', 'deepen-not v1'] },
        { boundary: told([d, x]), commits: [f, e, d, y, x] },
      );
      const g = dated('g', start + 8 * day, f);
      await accepted(repo, [set('refs/heads/next', g)], pack(...g.all));
      await expectCut(
        repo,
        version,
        { wants: [g.oid], depth: ['deepen-not HEAD'] },
        { boundary: told([g]), commits: [g] },
      );
    },
  },
  {
    id: 'since-and-not',
    requirements: ['GIT-073'],
    explanation: 'deepen-since and deepen-not work together',
    async run(repo, version) {
      await expectCut(
        repo,
        version,
        { wants: [f.oid], depth: [`deepen-since ${start + 3 * day}`, 'deepen-not v1'] },
        { boundary: told([d, y]), commits: [f, e, d, y] },
      );
    },
  },
  {
    id: 'refusals',
    requirements: ['GIT-073', 'GIT-017'],
    explanation: 'A date or list that leaves no commit, an unknown ref, and deepen beside either are refused',
    async run(repo, version) {
      const refuse = (depth: readonly string[], text: string): Promise<void> =>
        expectRefused(repo, version, { wants: [f.oid], depth }, text);
      await refuse([`deepen-since ${start + 100 * day}`], none);
      for (const names of [['HEAD'], ['main'], ['old', 'HEAD'], ['no-such-ref'], ['old', 'no-such-ref'], [c.oid]])
        await refuse(
          names.map((name) => `deepen-not ${name}`),
          none,
        );
      for (const other of [`deepen-since ${start}`, 'deepen-not old']) await refuse(['deepen 1', other], exclusive);
      // A short name is that of a tag before it is that of a branch.
      await accepted(repo, [set('refs/heads/both', b), set('refs/tags/both', f)], pack());
      await refuse(['deepen-not both'], none);
    },
  },
  {
    id: 'relative',
    requirements: ['GIT-074', 'GIT-076'],
    explanation: 'deepen-relative counts from the boundary of the client',
    async run(repo, version) {
      const base = { wants: [f.oid], haves: [f.oid] };
      await expectCut(
        repo,
        version,
        { ...base, shallow: [e.oid], depth: ['deepen 1', 'deepen-relative'] },
        { boundary: told([d, y], [e]), commits: [d, y], had: [f, e] },
      );
      await expectCut(
        repo,
        version,
        { ...base, shallow: [d.oid, y.oid], depth: ['deepen 2', 'deepen-relative'] },
        { boundary: told([b], [d, y]), commits: [c, x, b], had: [f, e, d, y] },
      );
    },
  },
  {
    id: 'relative-elsewhere',
    requirements: ['GIT-074'],
    explanation: 'deepen-relative cuts nothing if no want reaches the boundary of the client',
    async run(repo, version) {
      const request = { wants: [c.oid], shallow: [f.oid], depth: ['deepen 1', 'deepen-relative'] };
      await expectCut(repo, version, request, { boundary: [], commits: [a, b, c] });
    },
  },
  {
    id: 'relative-nearest',
    requirements: ['GIT-074', 'GIT-076'],
    explanation: 'deepen-relative counts from the boundary commit of the client that is nearest to a want',
    async run(repo, version) {
      const request = {
        wants: [f.oid],
        haves: [f.oid],
        shallow: [d.oid, x.oid],
        depth: ['deepen 1', 'deepen-relative'],
      };
      // x is the fourth commit from f, where a depth of four ends anyway.
      const expected = { boundary: told([c], [d]), commits: [c], had: [f, e, d, y, x] };
      await expectCut(repo, version, request, expected);
    },
  },
  {
    id: 'line-form',
    requirements: ['GIT-072'],
    explanation: 'Lines of the boundary have no LF at their end',
    async run(repo, version) {
      const request = { wants: [f.oid], shallow: [e.oid], depth: ['deepen 3'] };
      const end = version === 2 ? 'done' : 'wants';
      const { body } = await post(repo, fetchRequestBody(version, { ...request, end }), { version });
      const texts = readPackets(body).map((read) => read.toString('latin1'));
      const lines = texts.filter((text) => /^(?:un)?shallow /.test(text));
      same(lines.sort(), told([d, y], [e]), `The packets hold the bare text in version ${version}.`);
    },
  },
  {
    id: 'nothing-twice',
    requirements: ['GIT-066'],
    level: 'SHOULD',
    own: true,
    explanation: 'What a shallow client has does not come again when it deepens',
    async run(repo, version) {
      const had = [f, e];
      const base = { wants: [f.oid], haves: [f.oid], shallow: [e.oid] };
      for (const [depth, boundary, commits] of [
        [['deepen 1', 'deepen-relative'], told([d, y], [e]), [d, y]],
        [[`deepen ${whole}`], told([], [e]), [a, b, c, d, x, y]],
        [['deepen-not old'], told([c, x], [e]), [c, d, x, y]],
      ] as const) {
        const again = await expectCut(repo, version, { ...base, depth }, { boundary, commits, had });
        same(again, [], 'None of these is with the client.');
      }
    },
  },
  {
    id: 'each-reply',
    requirements: ['GIT-072', 'GIT-063', 'GIT-094'],
    explanation:
      'The boundary comes in every reply of a negotiation that goes on with a pack, and before all else in version 0',
    async run(repo, version) {
      const request = { wants: [f.oid], depth: ['deepen 2'], words: ['ofs-delta', 'multi_ack_detailed'] };
      const round = { ...request, ...(version === 2 ? { words: ['ofs-delta'] } : {}) };
      const haves = ['1'.repeat(40)];
      const waiting = await askFor(repo, version, { ...round, haves, end: 'flush' });
      same(
        [waiting.boundary, waiting.acknowledgments, waiting.pack],
        [version === 2 ? undefined : told([e]), ['NAK'], undefined],
        'Where nothing is common the negotiation goes on.',
      );
      const done = await askFor(repo, version, { ...round, haves });
      same([done.boundary, done.acknowledgments], [told([e]), version === 2 ? [] : ['NAK']], 'Then the pack comes.');
      if (version === 2) return;
      const first = await askFor(repo, version, { ...round, end: 'wants' });
      same([first.boundary, first.acknowledgments, first.pack], [told([e]), [], undefined], 'So does the first reply.');
    },
  },
  {
    id: 'unshallow',
    requirements: ['GIT-072', 'GIT-076', 'GIT-065'],
    explanation: 'unshallow is told for lines of the client whose parents come, and for no others',
    async run(repo, version) {
      const unknown = '1'.repeat(40);
      await expectCut(
        repo,
        version,
        { wants: [f.oid], haves: [f.oid], shallow: [e.oid, unknown], depth: [`deepen ${whole}`] },
        { boundary: told([], [e]), commits: [a, b, c, d, x, y], had: [f, e] },
      );
      // x is outside of depth 2, so its parents are not sent.
      await expectCut(
        repo,
        version,
        { wants: [f.oid], haves: [f.oid, x.oid], shallow: [f.oid, x.oid], depth: ['deepen 2'] },
        { boundary: told([e], [f]), commits: [e], had: [f, x] },
      );
      // e stays the end of the history.
      await expectCut(
        repo,
        version,
        { wants: [f.oid], haves: [f.oid], shallow: [e.oid], depth: ['deepen 2'] },
        { boundary: [], commits: [], had: [f, e] },
      );
    },
  },
  {
    id: 'unshallow-elsewhere',
    requirements: ['GIT-072', 'GIT-076', 'GIT-078'],
    explanation: 'Full history completes every line of the client, also one that no want reaches',
    async run(repo, version) {
      const request = { wants: [y.oid], haves: [y.oid, e.oid], shallow: [y.oid, e.oid], depth: [`deepen ${whole}`] };
      const expected = { boundary: told([], [e, y]), commits: [a, b, c, d, x], had: [e, y] };
      await expectCut(repo, version, request, expected);
    },
  },
  {
    id: 'no-depth',
    requirements: ['GIT-076', 'GIT-065', 'GIT-066'],
    explanation: 'A client that is shallow and asks for no depth gets what is new on top of what it has',
    async run(repo, version) {
      const { boundary, ...reply } = await askFor(repo, version, {
        wants: [f.oid],
        haves: [d.oid],
        shallow: [d.oid, '1'.repeat(40)],
      });
      const none = version === 2 ? [] : undefined;
      same(boundary, none, `No boundary is told, in version 2 by an empty section: version ${version}.`);
      const { objects } = readPack(packIn(reply as never), d.all);
      const had = new Set(idsOf(d.all));
      // Apart from d, everything that f reaches without it must be sent, since the client lacks the parents of d.
      const needed = idsOf([f, e, y, x, b, a].flatMap(({ all }) => all)).filter((oid) => !had.has(oid));
      const got = idsOf(objects.values());
      same(
        needed.filter((oid) => !got.includes(oid)),
        [],
        'Nothing is missing.',
      );
      const extra = got.filter((oid) => !needed.includes(oid));
      same(
        extra.filter((oid) => had.has(oid)),
        [],
        'What it has does not come again.',
      );
      const alone = packIn(await askFor(repo, version, { wants: [f.oid], shallow: [e.oid] }));
      const sent = idsOf(readPack(alone).objects.values());
      same(
        idsOf([...f.all, ...e.all]).filter((oid) => !sent.includes(oid)),
        [],
        'A shallow line does not say that its commit is there.',
      );
    },
  },
];

export const gitShallowDepth: Suite = suite(
  ...forms.flatMap(({ id, requirements, level = 'MUST', explanation, run, own }) =>
    versions.map((version): Case => ({
      id: `git/shallow/${id}-version-${version}`,
      requirements,
      level,
      ...(own === undefined ? {} : { own }),
      explanation: `${explanation}, in version ${version}.`,
      async run(t) {
        const repo = await shallowRepo(t);
        await needFeature(t, repo, 'shallow');
        await run(repo, version);
      },
    })),
  ),
);
