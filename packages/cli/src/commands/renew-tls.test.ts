import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { serveNode } from '@packhouse/server/node';
import { expect, it, onTestFinished, vi } from 'vitest';
import { renewTls } from './renew-tls.ts';

const pem = (name: string, kind: string): string =>
  fileURLToPath(import.meta.resolve(`../../../server/test/sockets/${name}.test.${kind}.pem`));

it('REPO-344: new connections get a changed certificate, open ones go on, and a half-written pair changes nothing', async () => {
  const root = mkdtempSync(join(tmpdir(), 'packhouse-tls-'));
  const files = { cert: join(root, 'cert.pem'), key: join(root, 'key.pem') };
  const replace = (name: string, ...kinds: readonly ('cert' | 'key')[]): void => {
    for (const kind of kinds) copyFileSync(pem(name, kind), files[kind]);
  };
  replace('localhost', 'cert', 'key');
  const current = { cert: readFileSync(files.cert, 'utf8'), key: readFileSync(files.key, 'utf8') };
  const server = await serveNode({ port: 0, data: join(root, 'data'), tls: current });
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const lines: unknown[] = [];
  const end = renewTls({ files, current, renew: server.renewTls, log: (...line) => void lines.push(line) });
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(async () => {
    vi.useRealTimers();
    end();
    kept.destroy();
    await server.close(0);
    rmSync(root, { recursive: true });
  });
  /** Returns the fingerprint of the server's certificate. */
  const ask = (agent: Agent | false): Promise<string> =>
    new Promise((resolve, reject) => {
      const asked = request(`${server.url}/healthz`, { agent, rejectUnauthorized: false }, (reply) => {
        const { fingerprint } = (reply.socket as TLSSocket).getPeerCertificate();
        reply.resume().once('end', () => resolve(fingerprint));
      });
      asked.once('error', reject).end();
    });
  const before = await ask(kept);
  const look = (): void => void vi.advanceTimersByTime(10_000);

  replace('outbound', 'cert');
  look();
  expect(await ask(false)).toBe(before);
  replace('outbound', 'key');
  look();
  const after = await ask(false);
  expect(after).not.toBe(before);
  expect(await ask(kept)).toBe(before);
  rmSync(files.cert);
  look();
  writeFileSync(files.cert, 'nothing');
  look();
  expect(await ask(false)).toBe(after);
  expect(lines).toEqual([
    ['warn', { warning: expect.stringContaining('cannot be used') }],
    ['info', { certificate: 'renewed' }],
    ['warn', { warning: expect.stringContaining('cannot be used') }],
  ]);
});

it('REPO-344: says that a restart is needed where the runtime cannot change the certificate', () => {
  const root = mkdtempSync(join(tmpdir(), 'packhouse-tls-'));
  const files = { cert: join(root, 'cert.pem'), key: join(root, 'key.pem') };
  for (const file of Object.values(files)) writeFileSync(file, 'new');
  vi.useFakeTimers();
  const log = vi.fn();
  const end = renewTls({ files, current: { cert: 'old', key: 'old' }, renew: undefined, log });
  vi.advanceTimersByTime(60_000);
  end();
  vi.useRealTimers();
  rmSync(root, { recursive: true });
  expect(log).toHaveBeenCalledExactlyOnceWith('warn', { warning: expect.stringContaining('restart') });
});
