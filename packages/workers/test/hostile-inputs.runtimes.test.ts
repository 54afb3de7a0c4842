/** Inputs that once froze or filled a server, in workerd: each stays within the memory of an isolate. */

import {
  chainFetchInput,
  chainInput,
  duplicatesInput,
  graphPushInput,
  largeGraphInput,
  largeTreesInput,
  longNamesInput,
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
  // Not strict, so that objects are looked at that hold nothing but zeros.
  watched = await startWatchedService({ rate_git: { requests: 1_000_000, seconds: 1 }, strict_objects: false });
  target = targetAt(watched.service.url, apiToken, 'local', sendOverHttp);
}, 60_000);

afterEach(() => watched.close());

/** Matches the reply to a push or read within its limits. */
const taken = /^(?![^]*(?:unpack (?!ok)|ng refs))/;
const tooLarge = /^.{4}unpack commit too large: /;

describe('LIM-059: hostile inputs of one tenant in workerd', { timeout: 240_000 }, () => {
  it.each<readonly [input: HostileInput, answer: RegExp]>([
    [manyParentsInput(4), tooLarge],
    [duplicatesInput(12), taken],
    [chainInput(20, storedSize), taken],
    [chainFetchInput(20, storedSize), taken],
    [manyUpdatesInput(500, 1_000), taken],
    [largeGraphInput(3, 1_000), taken],
    [starInput(40), taken],
    [spineInput(30), /^.{4}unpack not enough memory: /],
    [parallelInput(12), tooLarge],
    [zerosInput(8), taken],
    [manyRefsInput(20_000), taken],
    [tinyObjectsInput(4, 60_000), taken],
    [largeTreesInput(4, storedSize), taken],
    [longNamesInput(5_000, 128), taken],
    [graphPushInput(3, 1_000), taken],
  ])('stay within the memory of an isolate: $0.name', async (input, answer) => {
    const { service, memory } = watched;
    const { run } = await input.prepare(target);
    memory.takePeak();
    const running = run();
    const health = await fetch(`${service.url}/healthz`, { headers: { connection: 'close' } });
    expect(health.status).toBe(200);
    const replies = await running;
    for (const { status, body } of replies) {
      // Of those that come at the same time, some may have to come again.
      if (status === 503 && replies.length > 1) continue;
      expect([status, Buffer.from(body).toString('latin1')]).toEqual([200, expect.stringMatching(answer)]);
    }
    expect(memory.takePeak()).toBeLessThan(isolateMax);
  });
});
