/** The commands of the front page, as a shell runs them: it needs a server that other programs reach. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { gitEnvironment } from '@packhouse/fixtures';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { git } from '../support/git.ts';
import { makeFolder, removeFolder, startTestServer, type TestServer } from '../support/test-server.ts';

const run = promisify(execFile);
let server: TestServer;
let folder: string;

beforeAll(async () => {
  server = await startTestServer();
  folder = makeFolder();
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
  removeFolder(folder);
});

it('REPO-211, REPO-213: what the front page says works when it is pasted, and its errors lead to pages', async () => {
  const markdown = await (await fetch(server.url, { headers: { accept: 'text/markdown' } })).text();
  const [create, push, clone, more] = [...markdown.matchAll(/```sh\n([^`]*)\n```/g)].map(([, code]) => String(code));
  expect(more).toBeUndefined();
  const shell = async (command: string | undefined, env: Record<string, string>): Promise<string> => {
    const options = { cwd: folder, env: { ...process.env, ...gitEnvironment, ...env } };
    return (await run('sh', ['-e', '-c', String(command)], options)).stdout;
  };
  await git(['init', '--quiet', '--initial-branch=work', folder]);
  await git(['commit', '--quiet', '--allow-empty', '--message=first'], { cwd: folder });

  const made = JSON.parse(await shell(create, { API_TOKEN: server.apiToken })) as { result: { token: string } };
  await shell(push, { TOKEN: made.result.token });
  await shell(clone, { TOKEN: made.result.token });
  expect(await git(['log', '--format=%s', 'origin/main'], { cwd: `${folder}/hello` })).toBe('first\n');

  const again = JSON.parse(await shell(create, { API_TOKEN: server.apiToken })) as {
    errors: readonly [{ code: number; documentation_url: string }];
  };
  const [{ code, documentation_url: address }] = again.errors;
  expect(address).toBe(`${server.url}/docs/repos/errors#${code}`);
  expect(await (await fetch(address)).text()).toContain(` id="${code}"`);
  const error = (await (
    await fetch(`${server.url}/cdn-cgi/error/1015`, { headers: { accept: 'application/json' } })
  ).json()) as { type: string };
  expect(await (await fetch(error.type)).text()).toContain('You are being rate limited');
});
