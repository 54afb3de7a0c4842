/** Inputs that once froze or filled a server, in workerd: each stays within the memory of an isolate. */

import {
  chainFetchInput,
  chainInput,
  duplicatesInput,
  largeGraphInput,
  manyParentsInput,
  manyRefsInput,
  manyUpdatesInput,
  parallelInput,
  sendOverHttp,
  spineInput,
  starInput,
  targetAt,
  tinyObjectsInput,
  zerosInput,
  type HostileInput,
  type HostileTarget,
} from '@packhouse/fixtures/hostile';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiToken } from './support/local-service.ts';
import { startWatchedService, type WatchedService } from './support/watched-service.ts';

/** Bytes that the platform gives an isolate. Local V8 lets dead arrays lie, so they count here, too. */
const isolateMax = 128e6;

/** Bytes of an object that is stored before the attack: what was made of it then is garbage that still counts. */
const storedSize = 8 * 1024 * 1024;

/** One for each input, so that none has the garbage of others. */
let watched: WatchedService;
let target: HostileTarget;

beforeEach(async () => {
  watched = await startWatchedService({ rate_git: { requests: 1_000_000, seconds: 1 } });
  target = targetAt(watched.service.url, apiToken, 'local', sendOverHttp);
}, 60_000);

afterEach(() => watched.close());

describe('LIM-059: hostile inputs of one tenant in workerd', { timeout: 240_000 }, () => {
  it.each<HostileInput>([
    manyParentsInput(4),
    duplicatesInput(12),
    chainInput(20, storedSize),
    chainFetchInput(20, storedSize),
    manyUpdatesInput(500, 1_000),
    largeGraphInput(3, 1_000),
    starInput(40),
    spineInput(30),
    parallelInput(12),
    zerosInput(8),
    manyRefsInput(20_000),
    tinyObjectsInput(4, 60_000),
  ])('stay within the memory of an isolate: $name', async (input) => {
    const { service, memory } = watched;
    const { run } = await input.prepare(target);
    memory.takePeak();
    const running = run();
    const health = await fetch(`${service.url}/healthz`, { headers: { connection: 'close' } });
    expect(health.status).toBe(200);
    for (const { status, body } of await running) {
      expect([status, Buffer.from(body).toString('latin1', 0, 200)]).toEqual([
        expect.toBeOneOf([200, 413, 503]),
        expect.not.stringContaining('internal error'),
      ]);
    }
    expect(memory.takePeak()).toBeLessThan(isolateMax);
  });
});
