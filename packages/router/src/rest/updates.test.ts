import { cloudflare, neutral } from '@packhouse/hosting';
import { memoryTagStores } from '@packhouse/tagging';
import { describe, expect, it } from 'vitest';
import { testService, type Reply } from '../test-service.test.util.ts';

const error = (reply: Reply) => [
  reply.status,
  reply.json.errors[0]?.code,
  reply.json.errors[0]?.message,
  reply.json.errors[0]?.source?.pointer,
];
const cases = [neutral, cloudflare].flatMap((dialect) =>
  (['memory', 'SQLite'] as const).map((storage) => ({ dialect, storage })),
);
const path = '/namespaces/nn/repos';

describe.each(cases)('updates of repos, $dialect.name on $storage', ({ dialect, storage }) => {
  const start = async () => {
    const tags = memoryTagStores();
    const service = testService({ dialect, storage, tags, settings: { events_kept: 3600 } });
    const { id, token } = (await service.call('POST', path, { name: 'Notes', description: 'old' })).json.result;
    const opened = (repo: string) =>
      service.hosting.openForGit({
        account: 'a1',
        namespace: 'nn',
        repo,
        secret: token.split('?')[0],
        service: 'git-receive-pack',
      });
    const find = (name: string) => service.hosting.repos.find('a1', 'nn', name);
    const update = (name: string, body: unknown) => service.call('PATCH', `${path}/${name}`, body);
    return { ...service, tags: tags('a1'), id: id as string, opened, find, update };
  };

  it('REPO-236, REPO-237, REPO-239: changes the members that are sent, and replies like GET', async () => {
    const { call, pass, update } = await start();
    pass(60);
    const body = { name: 'Plans', description: null, default_branch: 'trunk', read_only: true, unknown: 1 };
    const { status, json } = await update('notes', body);
    expect([status, json.result]).toEqual([200, (await call('GET', `${path}/plans`)).json.result]);
    expect(json.result).toMatchObject({
      name: 'Plans',
      description: null,
      default_branch: 'trunk',
      read_only: true,
      size: 0,
      ref_count: 0,
      remote: 'http://127.0.0.1:8787/git/a1/nn/Plans.git',
      updated_at: '2026-11-20T09:16:02.114Z',
    });
    expect((await update('PLANS', { description: 'new', name: null })).json.result).toMatchObject({
      name: 'Plans',
      description: 'new',
      default_branch: 'trunk',
      read_only: true,
    });
  });

  it('REPO-237: what changes nothing leaves everything as it was', async () => {
    const { call, pass, update } = await start();
    const before = (await call('GET', `${path}/notes`)).json.result;
    pass(60);
    const same = { name: 'Notes', description: 'old', default_branch: 'main', read_only: false };
    expect((await update('notes', same)).json.result).toEqual(before);
  });

  it.each([
    [{}, 10100, 'Invalid input: expected at least one of "name"|"description"|"default_branch"|"read_only"', undefined],
    [{ name: null, x: 1 }, 10100, expect.stringContaining('expected at least one of'), undefined],
    [{ name: '-' }, 10101, 'Invalid repo name: must match /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/', '/name'],
    [{ description: 7 }, 10100, 'Invalid input: expected string, received number', '/description'],
    [{ default_branch: 'a..b' }, 10100, 'Invalid branch name', '/default_branch'],
    [{ read_only: 'yes' }, 10100, 'Invalid input: expected boolean, received string', '/read_only'],
  ])('REPO-036, REPO-237: refuses %j, also for a missing repo', async (body, code, message, pointer) => {
    const { update } = await start();
    expect(error(await update('notes', body))).toEqual([400, code, message, pointer]);
    expect(error(await update('none', body))).toEqual([400, code, message, pointer]);
  });

  it('REPO-238: the old name is free at once, for callers that know it, too; the id and tokens stay', async () => {
    const { call, update, opened, find, id, hosting } = await start();
    await opened('notes');
    const refs = (repo: string) => hosting.refs.list({ account: 'a1', namespace: 'nn', repo }, {});
    await refs('notes');
    expect((await update('notes', { name: 'plans' })).json.result.id).toBe(id);
    await expect(opened('notes')).rejects.toMatchObject({ reason: 'invalid token' });
    await expect(refs('notes')).rejects.toThrow('Repository not found');
    expect(error(await call('GET', `${path}/notes`))).toEqual([404, 10200, 'Repository not found', undefined]);
    expect(await opened('plans')).toMatchObject({ head: { id, name: 'plans' } });
    expect((await refs('PLANS')).rows).toEqual([]);
    const other = (await call('POST', path, { name: 'notes' })).json.result;
    expect(other.id).not.toBe(id);
    await expect(opened('notes')).rejects.toMatchObject({ reason: 'invalid token' });
    expect((await find('notes')).id).toBe(other.id);
    expect((await call('GET', `${path}/plans/tokens`)).json.result).toHaveLength(1);
  });

  it('REPO-238: a taken name is refused, another spelling of the own name is not', async () => {
    const { call, update } = await start();
    await call('POST', path, { name: 'Taken' });
    const refused = [409, 10201, 'repo already exists: tAKEN', undefined];
    expect(error(await update('notes', { name: 'tAKEN', description: 'new' }))).toEqual(refused);
    expect((await call('GET', `${path}/notes`)).json.result).toMatchObject({ name: 'Notes', description: 'old' });
    expect((await update('notes', { name: 'NOTES' })).json.result.name).toBe('NOTES');
  });

  it('REPO-089: a repo in creation is not updated', async () => {
    const { call, update, faults } = await start();
    for (const step of ['publishRepo', 'dropRepo']) faults.set(step, new Error('killed'));
    await call('POST', path, { name: 'half' });
    expect(error(await update('half', { name: 'x' }))).toEqual([
      409,
      10301,
      'Repository creation in progress',
      undefined,
    ]);
  });

  it('REPO-034, REPO-183: read_only holds for the next push, and goes again', async () => {
    const { update, opened } = await start();
    await update('notes', { read_only: true });
    await expect(opened('notes')).rejects.toMatchObject({ reason: 'read-only' });
    await update('notes', { read_only: false });
    await opened('notes');
  });

  it('REPO-238: forks name the new name of their parent', async () => {
    const { call, update } = await start();
    await call('POST', `${path}/notes/fork`, { name: 'try' });
    const source = async () => (await call('GET', `${path}/try`)).json.result.source;
    expect(await source()).toBe(`${dialect.forkSourcePrefix}nn/Notes`);
    await update('notes', { name: 'plans' });
    expect(await source()).toBe(`${dialect.forkSourcePrefix}nn/plans`);
    await call('DELETE', `${path}/plans`);
    expect(await source()).toBe(`${dialect.forkSourcePrefix}nn/plans`);
  });

  it.each(['updateHead', 'rename', 'settleRepo'])(
    'REPO-238, REPO-240: the sweep finishes an update that died in %s',
    async (step) => {
      const { call, update, opened, faults, hosting, id, tags, reported } = await start();
      const resource = { type: 'repository', zone: null, parent: null, id };
      await tags.set({
        resource,
        name: 'nn/Notes',
        tags: { a: 'b' },
        ifMatch: null,
        at: 1,
        accountMax: 9,
        resourceMax: 9,
      });
      await opened('notes');
      faults.set(step, new Error('killed'));
      const { status } = await update('notes', { name: 'plans', default_branch: 'trunk' });
      expect(status).toBe(step === 'settleRepo' ? 200 : 500);
      // The decision stands: the old name is free, and the new one leads to the repo.
      expect((await call('GET', `${path}/notes`)).status).toBe(404);
      expect((await call('GET', `${path}/plans`)).json.result).toMatchObject({ id, default_branch: 'trunk' });
      await opened('plans');
      await hosting.sweep('a1');
      expect((await opened('plans')).head).toMatchObject({ name: 'plans', defaultBranch: 'trunk' });
      await expect(opened('notes')).rejects.toMatchObject({ reason: 'invalid token' });
      expect((await tags.record(resource))?.name).toBe('nn/plans');
      expect(await hosting.repos.getById('a1', id)).toMatchObject({ name: 'plans' });
      expect(reported.length).toBe(step === 'settleRepo' ? 1 : 0);
    },
  );

  it('REPO-238: a decision that failed changed nothing', async () => {
    const { call, update, faults, hosting } = await start();
    faults.set('updateRepo', new Error('killed'));
    expect((await update('notes', { name: 'plans' })).status).toBe(500);
    await hosting.sweep('a1');
    expect((await call('GET', `${path}/notes`)).json.result).toMatchObject({ name: 'Notes' });
    expect((await call('GET', `${path}/plans`)).status).toBe(404);
  });

  it('REPO-238: the next update finishes one that was left half done', async () => {
    const { update, faults, opened } = await start();
    faults.set('updateHead', new Error('killed'));
    expect((await update('notes', { name: 'plans', read_only: true })).status).toBe(500);
    expect((await update('plans', { description: 'new' })).status).toBe(200);
    await expect(opened('plans')).rejects.toMatchObject({ reason: 'read-only' });
  });

  it('REPO-237: updates at once all succeed, each on the values of the one before', async () => {
    const { call, update } = await start();
    const bodies = [{ description: 'new' }, { default_branch: 'trunk' }, { read_only: true }, { name: 'NOTES' }];
    const replies = await Promise.all(bodies.map((body) => update('notes', body)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await call('GET', `${path}/notes`)).json.result).toMatchObject({
      name: 'NOTES',
      description: 'new',
      default_branch: 'trunk',
      read_only: true,
    });
  });
});
