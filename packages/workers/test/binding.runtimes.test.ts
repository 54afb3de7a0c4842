import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { apiPermissions } from '@packhouse/router';
import type { LocalApp } from '@packhouse/workers/local';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commitFile, git, newRepository } from './support/git.ts';
import { apiToken, startLocalService, type LocalService } from './support/local-service.ts';

const here = { account: 'local', namespace: 'here' };
const app = (name: string, entry: string, repos: LocalApp['repos'], more: Partial<LocalApp> = {}): LocalApp => ({
  name,
  entry: fileURLToPath(new URL(`app/${entry}.ts`, import.meta.url)),
  repos,
  ...more,
});

/** Returns the app configuration that docs/workers.md shows. */
const documented = (): Readonly<Record<string, unknown>> => {
  const text = readFileSync(fileURLToPath(new URL('../../../docs/workers.md', import.meta.url)), 'utf8');
  const [, block = '{}'] = /## From other Workers[^]*?```jsonc\n([^]*?)```/.exec(text) ?? [];
  return JSON.parse(block.replaceAll(/,(?=\s*[}\]])/g, '')) as Readonly<Record<string, unknown>>;
};
const { compatibility_date: compatibilityDate, services } = documented() as {
  readonly compatibility_date: string;
  readonly services: readonly [
    Readonly<Record<'binding' | 'service' | 'entrypoint', string>> & { readonly props: typeof here },
  ];
};
const [{ binding, service: serviceName, entrypoint, props }] = services;

const bound = {
  HERE: here,
  ELSEWHERE: { ...here, namespace: 'elsewhere' },
  OTHER_ACCOUNT: { ...here, account: 'other' },
  UNSERVED: { ...here, account: 'unserved' },
  NAMELESS: { ...here, namespace: 'a b' },
  // Nothing keeps an app from leaving one out.
  HALF: { account: 'local' } as typeof here,
};

let service: LocalService;

beforeAll(async () => {
  service = await startLocalService(
    { accounts: ['local', 'other'] },
    {
      apps: [
        app('notes', 'notes', { [binding]: props }, { compatibilityDate }),
        app('checks', 'checks', bound),
        app('older', 'checks', bound, { compatibilityDate: '2026-03-01' }),
      ],
    },
  );
});

afterAll(() => service.close());

async function ask(name: string, path: string, method = 'GET'): Promise<Response> {
  const { origin } = await service.workerd.appUrl(name);
  return await fetch(`${origin}${path}`, { method, headers: { connection: 'close' } });
}

it('BIND-005, BIND-021: an app configured as docs/workers.md says makes a repository, and reads what Git pushed', async () => {
  // The name is what `packhouse workers init` writes.
  expect([serviceName, entrypoint]).toEqual(['packhouse', 'ReposBinding']);
  const made = await ask('notes', '/first', 'POST');
  expect(made.status).toBe(201);
  const { token } = (await made.json()) as { readonly token: string };
  const folder = await newRepository();
  try {
    await commitFile(folder, 'plan.md', 100);
    const remote = `http://x:${String(token.split('?')[0])}@${new URL(service.url).host}/git/local/default/first.git`;
    await git(['push', '-q', remote, 'main'], folder);
    const note = await ask('notes', '/first/plan.md');
    expect(new Uint8Array(await note.arrayBuffer())).toEqual(new Uint8Array(readFileSync(`${folder}/plan.md`)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  expect((await ask('notes', '/first/none')).status).toBe(404);
  expect(await (await ask('notes', '/none')).json()).toEqual({
    code: 'NOT_FOUND',
    numericCode: 10200,
    message: 'Repository not found: none.',
  });
  expect(await (await ask('notes', '/first')).json()).toMatchObject({ name: 'first', description: 'Notes' });
});

it('BIND-004, BIND-021, BIND-023: account and namespace are those of the props, in whichever Worker', async () => {
  expect(await (await ask('checks', '/props')).json()).toEqual([['here'], ['elsewhere'], ['other']]);
  const { body } = await service.rest('GET', '/namespaces/here/repos');
  expect(body.result).toMatchObject([{ name: 'here' }]);
});

it('BIND-082: props that name nothing are an internal error, and the log says what is wrong', async () => {
  const failure = { code: 'INTERNAL_ERROR', numericCode: 10400, message: 'An internal error occurred.' };
  expect(await (await ask('checks', '/wrong-props')).json()).toMatchObject([failure, failure, failure]);
  const errors = (): readonly unknown[] => service.lines.filter(({ level }) => level === 'error');
  await expect.poll(errors).toMatchObject([
    { event: 'binding', method: 'list', message: expect.stringMatching(/^props of the binding: account: /) },
    {
      event: 'binding',
      method: 'create',
      message: 'props of the binding: namespace: expected the name of one (REPO-060)',
    },
    {
      event: 'binding',
      method: 'create',
      message: 'props of the binding: namespace: expected the name of one (REPO-060)',
    },
  ]);
});

it('BIND-036: a name of any length is not found', async () => {
  const { code } = (await (await ask('checks', '/long-name')).json()) as { readonly code: string };
  expect(code).toBe('NOT_FOUND');
});

it('BIND-081: errors arrive as they are, and at a caller of an older date with their message', async () => {
  const message = 'Repository not found: missing.';
  expect(await (await ask('checks', '/failure')).json()).toMatchObject({
    isError: true,
    own: expect.arrayContaining(['name', 'code', 'numericCode']),
    name: 'RepoError',
    code: 'NOT_FOUND',
    numericCode: 10200,
    message,
  });
  const older = (await (await ask('older', '/failure')).json()) as { readonly message: string };
  expect(older).toMatchObject({ isError: true, message: expect.stringContaining(message) });
  expect(older).not.toHaveProperty('code');
});

it('BIND-100, BIND-101: using disposes of a stub', async () => {
  expect(await (await ask('checks', '/using')).json()).toEqual({
    id: expect.stringMatching(/^[0-9a-z]{16}$/),
    after: expect.objectContaining({ isError: true, name: 'Error' }),
  });
});

it('BIND-021: a call may be made on what another has not given yet', async () => {
  expect(await (await ask('checks', '/pipelined')).json()).toMatchObject({ name: 'piped' });
});

it('REPO-009: a call is one line of the log, with what it cost and without tokens', async () => {
  const from = service.lines.length;
  const made = (await (await ask('notes', '/logged', 'POST')).json()) as { readonly token: string };
  const lines = (): readonly object[] => service.lines.slice(from).filter(({ event }) => event === 'binding');
  await expect
    .poll(lines)
    .toMatchObject([{ method: 'create', account: 'local', namespace: 'default', object_calls: 3 }]);
  expect(JSON.stringify(service.lines)).not.toContain(String(made.token.split('?')[0]));
});

it('REPO-002, REPO-025, BIND-010, BIND-013: a program written against env.ARTIFACTS runs in the dialect of that name', async () => {
  const artifacts = await startLocalService(
    { dialect: 'cloudflare' },
    {
      apiTokens: [{ token: apiToken, account: 'local', permissions: apiPermissions }],
      apps: [
        app('artifacts', 'artifacts', { ARTIFACTS: { account: 'local', namespace: 'default' } }),
        app('checks', 'checks', bound),
      ],
    },
  );
  try {
    const response = await fetch(await artifacts.workerd.appUrl('artifacts'));
    expect(await response.json()).toEqual({
      defaultBranch: 'trunk',
      remote: expect.stringMatching(/\/git\/local\/default\/agent-session\.git$/),
      token: expect.stringMatching(/^art_v2_x_[0-9a-f]{40}\?expires=\d+$/),
      fork: 'agent-session-2',
      listed: ['agent-session-2', 'agent-session'],
      scope: 'read',
      total: 2,
      revoked: true,
      source: null,
      failure: { name: 'ArtifactsError', code: 'NOT_FOUND', numericCode: 10200 },
    });
    const wrong = await (await fetch(new URL('/wrong-props', await artifacts.workerd.appUrl('checks')))).json();
    expect(wrong).toMatchObject(Array.from({ length: 3 }, () => ({ name: 'ArtifactsError', code: 'INTERNAL_ERROR' })));
  } finally {
    await artifacts.close();
  }
});
