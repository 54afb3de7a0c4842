import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Target } from '@packhouse/conformance';
import { apiPermissions, checkConfig } from '@packhouse/router';
import type { ServeHere } from '@packhouse/server';
import { importFaulty } from './loader.ts';

type Settings = Readonly<Record<string, unknown>>;

const tokens = { all: 'a'.repeat(48), read: 'b'.repeat(48), other: 'c'.repeat(48) };

/** Settings that the cases need. They send more requests about tags than a person would. */
const common = {
  accounts: ['local', 'other'],
  zones: { 'zone-local': 'local', 'zone-other': 'other' },
  api_tokens: [
    { token: tokens.all, account: 'local', permissions: apiPermissions },
    { token: tokens.read, account: 'local', permissions: ['read', 'tag.read'] },
    { token: tokens.other, account: 'other', permissions: apiPermissions },
  ],
  rate_tags: { requests: 1_000_000_000, seconds: 1 },
  import_allow: ['localhost'],
} as const;

/** Starts the server with a fault in this process, on a new data folder. An unknown id starts it without any. */
export async function startFaulty(id: string, settings: Settings = {}): Promise<Target & { close(): Promise<void> }> {
  const { serveNode } = await importFaulty<{ serveNode: ServeHere }>('packages/server/src/runtimes/node.ts', id);
  const data = mkdtempSync(join(tmpdir(), 'packhouse-fault-'));
  const serving = await serveNode({ data, port: 0, config: checkConfig({ ...common, ...settings }) });
  return {
    name: id,
    origin: serving.url,
    dialect: 'neutral',
    account: 'local',
    apiToken: tokens.all,
    readToken: tokens.read,
    other: { account: 'other', apiToken: tokens.other },
    zone: serving.url,
    zoneId: 'zone-local',
    configured: async (more) => await startFaulty(id, { ...settings, ...more }),
    async close() {
      await serving.close(0);
      rmSync(data, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
