import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Target } from '@packhouse/conformance';
import { runGit, serveHttpBackend } from '@packhouse/fixtures';
import type { GivenSettings } from './deployment.ts';

/** Options that stock Git needs for optional features. */
const switches = [
  ['http.receivepack', 'true'],
  ['receive.denyDeleteCurrent', 'ignore'],
  ['receive.autogc', 'false'],
  ['receive.advertisePushOptions', 'true'],
  ['uploadpack.allowFilter', 'true'],
  ['uploadpack.allowSidebandAll', 'true'],
  ['uploadpack.allowAnySHA1InWant', 'true'],
  ['transfer.advertiseObjectInfo', 'true'],
  ['transfer.advertiseSID', 'true'],
] as const;

/**
 * Runs stock `git http-backend` as a target, with a minimal control plane that creates repos and accepts any token. It
 * shows that a case requires what Git does, not only what this service does.
 */
export async function stockGit(settings: GivenSettings = {}): Promise<Target> {
  const root = mkdtempSync(join(tmpdir(), 'packhouse-stock-git-'));
  const backend = await serveHttpBackend(root);
  const hidden = (settings['hidden_refs'] ?? []) as readonly string[];
  const create = (name: string): string => {
    const folder = `${name}.git`;
    runGit(['init', '--quiet', '--bare', '--initial-branch=main', folder], { cwd: root });
    const all = [...switches, ...hidden.map((prefix) => ['transfer.hideRefs', prefix.replace(/\/$/, '')] as const)];
    for (const [key, value] of all) runGit(['config', '--add', key, value], { cwd: join(root, folder) });
    return `${backend.origin}/${folder}`;
  };
  const control = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const reply = (status: number, result: unknown): void =>
        void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ result }));
      if (request.method === 'GET') return reply(200, []);
      if (request.method === 'DELETE') return reply(202, {});
      const { name } = JSON.parse(Buffer.concat(parts).toString()) as { name?: string };
      if (name === undefined) return reply(201, { plaintext: token });
      return reply(201, { id: name, remote: create(name), token });
    });
  });
  const origin = await listen(control);
  return {
    name: 'stock git',
    origin,
    dialect: 'neutral',
    account: 'local',
    apiToken: token,
    configured: stockGit,
    async close() {
      control.close();
      control.closeAllConnections();
      await backend.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

const token = 'rht_v1_0000000000000000000000000000000000000000';

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
