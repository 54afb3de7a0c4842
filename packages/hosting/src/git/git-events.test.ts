import { RepoGoneError, type DescribedUpdate, type ObjectId, type RecordedEvent, type RefName } from '@packhouse/git';
import { expect, it } from 'vitest';
import { neutral } from '../dialect/neutral.ts';
import type { GitAccess } from './open-for-git.ts';
import type { Context } from '../internal/context.ts';
import { randomIds } from '@packhouse/base';
import { gitEvents, type GitEvents } from './git-events.ts';

const id = 'ab'.repeat(20) as ObjectId;

interface Made {
  readonly events: GitEvents;
  readonly reported: unknown[];
  readonly settled: () => Promise<unknown>;
}

function made(
  record: (event: RecordedEvent) => Promise<boolean>,
  { events = async () => {}, wanted = [] }: { events?: (() => Promise<void>) | undefined; wanted?: string[] } = {},
): Made {
  const reported: unknown[] = [];
  const works: Promise<void>[] = [];
  const context = {
    dialect: neutral,
    ids: randomIds,
    clock: { now: () => 0 },
    events,
    background: (work: Promise<void>) => void works.push(work),
    report: (error: unknown) => void reported.push(error),
  } as unknown as Context;
  const head = { account: 'local', namespace: 'n', name: 'r' };
  const access = { head, token: { id: 't' }, repo: { state: { record } }, wanted } as unknown as GitAccess;
  return { events: gitEvents(context, access) as GitEvents, reported, settled: () => Promise.all(works) };
}

it('REPO-197: records a clone or fetch in the background, and reports failures without throwing', async () => {
  const recorded: unknown[] = [];
  const works = made(async (event) => recorded.push(JSON.parse(event.body)) > 0);
  works.events.fetched('clone');
  works.events.fetched('fetch');
  await works.settled();
  expect(recorded).toMatchObject([
    { type: 'repos.repo.cloned', payload: {}, metadata: { tokenId: 't' } },
    { type: 'repos.repo.fetched', payload: {}, metadata: { tokenId: 't' } },
  ]);

  const failing = made(() => Promise.reject(new Error('disk')));
  failing.events.fetched('clone');
  await failing.settled();
  expect(failing.reported).toMatchObject([{ message: 'disk' }]);

  const throwing = made(() => {
    throw new Error('at once');
  });
  throwing.events.fetched('clone');
  expect(throwing.reported).toMatchObject([{ message: 'at once' }]);

  const gone = made(() => Promise.reject(new RepoGoneError()));
  gone.events.fetched('clone');
  await gone.settled();
  expect(gone.reported).toEqual([]);
});

it('REPO-196: replaces a time after the year 9999 by 1970', () => {
  const update = (committedAt: number): DescribedUpdate => ({
    name: 'refs/heads/main' as RefName,
    before: null,
    after: id,
    commits: [
      {
        id,
        message: '',
        messageTruncated: false,
        committedAt,
        author: { name: '', email: '' },
        committer: { name: '', email: '' },
        parents: [],
      },
    ],
    total: 1,
    truncated: false,
  });
  const { events } = made(async () => true);
  const times = [0, 253_402_300_799, 253_402_300_800, Number.MAX_SAFE_INTEGER].map((at) => {
    const [event] = events.pushed?.([update(at)]) ?? [];
    return (JSON.parse(event?.body ?? '') as { payload: { commits: { timestamp: string }[] } }).payload.commits[0]
      ?.timestamp;
  });
  const none = '1970-01-01T00:00:00.000Z';
  expect(times).toEqual([none, '9999-12-31T23:59:59.000Z', none, none]);
});
