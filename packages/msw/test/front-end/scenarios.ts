import type { Fault, RepoTagsSeed, Seed } from '@packhouse/msw';
import { expect } from 'vitest';
import type { Seen } from './look.ts';

/** A visitor of the page, in any DOM. */
export interface Visitor {
  look(): Promise<Seen>;
  /** Presses a button, found by its text or label. */
  press(button: string): Promise<void>;
  /** Types into a field, found by its label, and presses Enter. */
  enter(field: string, text: string): Promise<void>;
  /** Advances the time of the page. */
  pass(seconds: number): Promise<void>;
}

/** A seed that can also be created through the API of a service. */
export interface Plain {
  /** In order of creation. */
  readonly repos?: Readonly<Record<string, { readonly description?: string }>>;
  readonly tags?: readonly RepoTagsSeed[];
}

/** The service behind the page: a mock, or a real one. */
export interface Behind {
  seed(seed: Plain): Promise<void>;
  /** Returns the tags of tagged repos, by `namespace/name`. */
  tags(): Promise<Readonly<Record<string, Readonly<Record<string, string>>>>>;
  /** Returns the number of remaining faults. */
  faults(): Promise<number>;
}

/** A visit of the page. A scenario with faults needs a mock. */
export interface Scenario {
  readonly name: string;
  readonly seed: Plain;
  readonly faults?: readonly Fault<Seed>[];
  /** The token for signing in. Default: `secret`. A mock also accepts `fresh`. */
  readonly token?: string;
  readonly visit: (visitor: Visitor, behind: Behind) => Promise<void>;
}

/** Waits until only `count` faults remain. A latency begins when its request arrives, not when the fault is added. */
async function left(behind: Behind, count: number): Promise<void> {
  await expect.poll(() => behind.faults(), { timeout: 20_000 }).toBe(count);
}

/** Waits until the page shows these values; others are ignored. */
export async function sees(visitor: Visitor, expected: { readonly [Part in keyof Seen]?: unknown }): Promise<void> {
  await expect.poll(() => visitor.look(), { timeout: 20_000 }).toMatchObject(expected);
}

const many = (count: number): Readonly<Record<string, {}>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`repo-${count - index}`, {}]));
/** Returns repo names, newest first. */
const names = (first: number, last: number): readonly string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => `repo-${first + index}`);

const notes: Plain = {
  repos: { notes: { description: 'Meeting notes' } },
  tags: [{ repo: 'notes', tags: { env: 'test' } }],
};
const listed = { status: '1 repository.', repos: { notes: ['env=test'] }, problem: null };
const repoList = '/v4/accounts/local/repos/namespaces/default/repos';
/** Milliseconds: longer than a test lasts, and shorter than Node's fetch waits for a reply. */
const minutes = 120_000;
const writes = { path: '/v4/accounts/local/tags', method: 'PUT', times: 1 } as const;

export const scenarios: readonly Scenario[] = [
  {
    name: 'shows repos page by page, and goes on where the new ones begin',
    seed: { repos: many(25), tags: [{ repo: 'repo-21', tags: { env: 'prod' } }] },
    async visit(visitor) {
      await sees(visitor, { status: '20 repositories, and more.', more: true });
      expect(Object.keys((await visitor.look()).repos)).toEqual(names(1, 20));
      await visitor.press('Show more');
      await sees(visitor, { status: '25 repositories.', more: false, focus: 'repo-21' });
      const { repos } = await visitor.look();
      expect(Object.keys(repos)).toEqual(names(1, 25));
      expect([repos['repo-21'], repos['repo-1']]).toEqual([['env=prod'], []]);
    },
  },
  {
    name: 'says that there is nothing',
    seed: {},
    visit: (visitor) =>
      sees(visitor, { status: 'There are no repositories yet.', repos: {}, more: false, problem: null }),
  },
  {
    name: 'adds a tag and removes one',
    seed: { repos: { notes: {} } },
    async visit(visitor, behind) {
      await sees(visitor, { repos: { notes: [] } });
      await visitor.enter('New tag of notes', 'team=web');
      await sees(visitor, { status: 'Added team to notes.', repos: { notes: ['team=web'] }, typed: '' });
      await visitor.enter('New tag of notes', 'archived');
      await sees(visitor, { repos: { notes: ['archived', 'team=web'] }, focus: 'New tag of notes' });
      expect(await behind.tags()).toEqual({ 'default/notes': { archived: '', team: 'web' } });
      await visitor.press('Remove team from notes');
      await sees(visitor, {
        status: 'Removed team from notes.',
        repos: { notes: ['archived'] },
        focus: 'New tag of notes',
      });
      expect(await behind.tags()).toEqual({ 'default/notes': { archived: '' } });
    },
  },
  {
    name: 'tells why a tag is refused, and changes nothing',
    seed: notes,
    async visit(visitor, behind) {
      await sees(visitor, listed);
      await visitor.enter('New tag of notes', 'two words=x');
      await sees(visitor, {
        problem: { title: 'Invalid tag key', code: '1014', seconds: null, again: false },
        typed: 'two words=x',
      });
      await visitor.press('Dismiss');
      await sees(visitor, { ...listed, focus: 'New tag of notes' });
      expect(await behind.tags()).toEqual({ 'default/notes': { env: 'test' } });
      expect((await visitor.look()).typed).toBe('two words=x');
    },
  },
  {
    name: 'shows only what has a tag',
    seed: {
      repos: { api: {}, notes: {}, 'team/api': {}, 'not-default/api': {} },
      tags: [
        { repo: 'api', tags: { env: 'prod', query: 'a=b' } },
        { repo: 'notes', tags: { env: 'test' } },
        { repo: 'team/api', tags: { env: 'prod' } },
        { repo: 'not-default/api', tags: { env: 'prod' } },
      ],
    },
    async visit(visitor) {
      await sees(visitor, { status: '2 repositories.' });
      await visitor.enter('Only with tag', 'env=prod');
      await sees(visitor, { status: '1 repository.', repos: { api: ['env=prod', 'query=a=b'] } });
      await visitor.enter('New tag of api', 'query=b=c');
      await sees(visitor, { repos: { api: ['env=prod', 'query=b=c'] } });
      await visitor.enter('Only with tag', 'env=none');
      await sees(visitor, { status: 'No repository has this tag.', repos: {} });
      await visitor.enter('Only with tag', '');
      await sees(visitor, { status: '2 repositories.' });
    },
  },
  {
    name: 'shows all pages of what has a tag',
    seed: {
      repos: many(103),
      tags: names(1, 103).map((repo) => ({ repo, tags: { env: 'prod' } })),
    },
    // An empty list of faults limits this scenario to mocks: creating so many repos through an API takes too long.
    faults: [],
    async visit(visitor) {
      await visitor.enter('Only with tag', 'env');
      await sees(visitor, { status: '100 repositories, and more.', more: true });
      await visitor.press('Show more');
      await sees(visitor, { status: '103 repositories.', more: false });
      expect(Object.keys((await visitor.look()).repos).toSorted()).toEqual(names(1, 103).toSorted());
    },
  },
  {
    name: 'keeps what somebody else has changed meanwhile',
    seed: notes,
    async visit(visitor, behind) {
      await sees(visitor, listed);
      await behind.seed({ tags: [{ repo: 'notes', tags: { env: 'test', owner: 'ada' } }] });
      await visitor.enter('New tag of notes', 'team=web');
      await sees(visitor, { repos: { notes: ['env=test', 'owner=ada', 'team=web'] }, problem: null });
      expect(await behind.tags()).toEqual({ 'default/notes': { env: 'test', owner: 'ada', team: 'web' } });
    },
  },
  {
    name: 'asks again for a token that is not accepted',
    seed: notes,
    token: 'wrong',
    async visit(visitor) {
      await sees(visitor, { signIn: { title: 'You are signed out' }, repos: {} });
      await visitor.enter('Token', 'secret');
      await sees(visitor, { ...listed, signIn: null });
    },
  },
  {
    name: 'shows an error of the platform, and tries again when told to',
    seed: notes,
    faults: [{ kind: 'platform error', code: 522, times: 1 }],
    async visit(visitor) {
      await sees(visitor, {
        problem: {
          title: 'Error 522: Connection timed out',
          advice: expect.stringMatching(/^Wait and retry\. /),
          code: '522',
          rayId: expect.stringMatching(/^[0-9a-f]{16}$/),
        },
      });
      await visitor.press('Try again');
      await sees(visitor, listed);
    },
  },
  ...(
    [
      ['the platform', { kind: 'platform error', code: 1015, retryAfter: 90, times: 1 }],
      ['the service', { kind: 'rate limit', retryAfter: 90, times: 1 }],
    ] as const
  ).map(([who, fault]): Scenario => ({
    name: `waits as long as ${who} says, and counts down`,
    seed: notes,
    faults: [fault],
    async visit(visitor) {
      await sees(visitor, { loading: true, problem: { code: /./, seconds: expect.closeTo(90, -1) } });
      await visitor.pass(60);
      await sees(visitor, { problem: { seconds: expect.closeTo(30, -1) } });
      await visitor.pass(35);
      await sees(visitor, { ...listed, loading: false });
    },
  })),
  {
    name: 'asks for another token when one expires, and does then what it was asked for',
    seed: notes,
    async visit(visitor, behind) {
      await sees(visitor, listed);
      await visitor.enter('New tag of notes', 'team=web');
      await sees(visitor, { signIn: { title: 'You are signed out' }, repos: {}, typed: '' });
      await visitor.enter('Token', 'fresh');
      await sees(visitor, { signIn: null, repos: { notes: ['env=test', 'team=web'] } });
      expect(await behind.tags()).toEqual({ 'default/notes': { env: 'test', team: 'web' } });
    },
    faults: [{ kind: 'expired token', token: 'secret', ...writes, times: 2 }],
  },
  {
    name: 'says that there is no connection',
    seed: notes,
    faults: [{ kind: 'dropped connection', times: 1 }],
    async visit(visitor) {
      await sees(visitor, { problem: { title: 'No connection', code: null, seconds: null, again: true } });
      await visitor.press('Try again');
      await sees(visitor, listed);
    },
  },
  {
    name: 'repeats a change whose reply was lost, and loses nothing',
    seed: notes,
    faults: [{ kind: 'dropped connection', lost: 'reply', ...writes }],
    async visit(visitor, behind) {
      await sees(visitor, listed);
      await visitor.enter('New tag of notes', 'team=web');
      await sees(visitor, { problem: { title: 'No connection' } });
      expect(await behind.tags()).toEqual({ 'default/notes': { env: 'test', team: 'web' } });
      await visitor.press('Try again');
      await sees(visitor, { repos: { notes: ['env=test', 'team=web'] }, problem: null });
      expect(await behind.tags()).toEqual({ 'default/notes': { env: 'test', team: 'web' } });
    },
  },
  {
    name: 'says that it loads',
    seed: notes,
    faults: [{ kind: 'latency', milliseconds: minutes, path: repoList, times: 1 }],
    async visit(visitor, behind) {
      await left(behind, 0);
      await sees(visitor, { status: 'Loading…', loading: true });
      await visitor.pass(120);
      await sees(visitor, { ...listed, loading: false });
    },
  },
  {
    name: 'shows what was asked for last, whatever comes last',
    seed: {
      repos: { api: {}, notes: {} },
      tags: [{ repo: 'api', tags: { env: 'prod' } }],
    },
    faults: [{ kind: 'latency', milliseconds: minutes, path: repoList, times: 1 }],
    async visit(visitor, behind) {
      await left(behind, 0);
      await sees(visitor, { loading: true });
      await visitor.enter('Only with tag', 'env=prod');
      await sees(visitor, { status: '1 repository.', loading: false });
      await visitor.pass(120);
      // Send a second request. Once its result is visible, that of the first request would be visible, too.
      await visitor.enter('New tag of api', 'team=web');
      await sees(visitor, { status: 'Added team to api.' });
      expect((await visitor.look()).repos).toEqual({ api: ['env=prod', 'team=web'] });
    },
  },
  {
    name: 'says nothing of what went wrong with what is not asked for any more',
    seed: {
      repos: { api: {}, notes: {} },
      tags: [{ repo: 'api', tags: { env: 'prod' } }],
    },
    faults: [
      { kind: 'latency', milliseconds: minutes, path: repoList, times: 1 },
      { kind: 'dropped connection', path: repoList, times: 1 },
    ],
    async visit(visitor, behind) {
      await left(behind, 0);
      await visitor.enter('Only with tag', 'env=prod');
      await sees(visitor, { status: '1 repository.' });
      await visitor.pass(120);
      // Send a second request, whose result comes after that of the first one.
      await visitor.enter('New tag of api', 'team=web');
      await sees(visitor, { status: 'Added team to api.' });
      expect((await visitor.look()).problem).toBeNull();
    },
  },
  {
    name: 'shows each repo once while others come and go',
    seed: { repos: many(45) },
    faults: [
      { kind: 'changed page', path: repoList, times: 1, add: { repos: { later: {} } }, remove: ['repo-3', 'repo-30'] },
    ],
    async visit(visitor) {
      await sees(visitor, { status: '20 repositories, and more.' });
      await visitor.press('Show more');
      await sees(visitor, { status: '40 repositories, and more.' });
      await visitor.press('Show more');
      await sees(visitor, { status: '44 repositories.' });
      expect(Object.keys((await visitor.look()).repos)).toEqual(names(1, 45).filter((name) => name !== 'repo-30'));
    },
  },
  {
    name: 'leaves an error there when something else comes right meanwhile',
    seed: { ...notes, repos: { api: {}, ...notes.repos } },
    faults: [
      { kind: 'latency', milliseconds: minutes, ...writes, times: 2 },
      { kind: 'dropped connection', ...writes },
    ],
    async visit(visitor, behind) {
      await sees(visitor, { status: '2 repositories.' });
      await visitor.enter('New tag of notes', 'team=web');
      await left(behind, 1);
      await visitor.pass(120);
      await sees(visitor, { problem: { title: 'No connection' } });
      await visitor.press('Try again');
      await left(behind, 0);
      await visitor.enter('New tag of api', 'two words=x');
      await sees(visitor, { problem: { title: 'Invalid tag key' } });
      await visitor.pass(120);
      await sees(visitor, { status: 'Added team to notes.', problem: { title: 'Invalid tag key' } });
    },
  },
  {
    name: 'lets the visitor give up, and begin again',
    seed: notes,
    faults: [{ kind: 'platform error', code: 522, times: 1 }],
    async visit(visitor) {
      await sees(visitor, { problem: { code: '522' } });
      await visitor.press('Dismiss');
      await sees(visitor, { status: 'Not all could be loaded.', problem: null, more: true });
      await visitor.press('Show more');
      await sees(visitor, listed);
    },
  },
];
