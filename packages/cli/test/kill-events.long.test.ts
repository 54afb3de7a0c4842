import { setTimeout as wait } from 'node:timers/promises';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { runGit } from '@packhouse/fixtures';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { killRounds } from './support/kill-rounds.ts';
import { startEventSink, type EventSink, type SunkEvent } from './support/event-sink.ts';
import { serviceToKill, type ServiceToKill } from './support/service-to-kill.ts';

const run = promisify(execFile);

const eachRuntime = killRounds({ node: 3, deno: 1, bun: 1 }, { node: 5, deno: 1, bun: 1 });
/** The time that the changes of a round take, so that kills hit all of them. */
const longestDelay = 700;

let service: ServiceToKill;
let sink: EventSink;
/** The webhook of a user, for the whole namespace. */
let hook: EventSink;

beforeEach(async () => {
  sink = await startEventSink(() => 20 + Math.random() * 100);
  hook = await startEventSink(() => 20 + Math.random() * 100);
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  service = serviceToKill('kill-events', {
    webhook_url: sink.url,
    webhook_secrets: [secret],
    webhook_allow: ['127.0.0.1'],
    user_webhook_allow: ['127.0.0.1'],
  });
  runGit(['commit', '--quiet', '--allow-empty', '-m', 'first'], { cwd: service.work });
});

afterEach(async () => {
  await service.end();
  await sink.close();
  await hook.close();
});

async function rest(method: string, path: string, body?: unknown): Promise<Readonly<Record<string, string>>> {
  const { status, result } = await service.rest(method, path, body);
  if (status >= 400 || result === null) throw new Error(`${method} ${path}: ${status}`);
  return result as Readonly<Record<string, string>>;
}

/** Records a change that a client saw, by the name of the event that must follow. */
type Saw = (what: string) => void;

/** Makes changes one after the other, until one fails. */
async function changes(name: string, saw: Saw): Promise<void> {
  const { token, remote } = await rest('POST', '/repos', { name });
  saw(`created ${name}`);
  saw(`token.created ${name}`);
  const auth = ['-c', `http.extraHeader=Authorization: Bearer ${token}`];
  await run('git', [...auth, 'push', '--quiet', String(remote), 'main:one', 'main:two'], { cwd: service.work });
  saw(`pushed ${name} refs/heads/one`);
  saw(`pushed ${name} refs/heads/two`);
  const made = await rest('POST', '/tokens', { repo: name });
  saw(`token.created ${name} ${made['id']}`);
  await rest('DELETE', `/tokens/${made['id']}`);
  saw(`token.revoked ${name} ${made['id']}`);
  await rest('POST', `/repos/${name}/fork`, { name: `${name}-fork` });
  saw(`forked ${name}`);
  await run('git', [...auth, 'push', '--quiet', String(remote), ':two'], { cwd: service.work });
  saw(`pushed ${name} refs/heads/two deleted`);
  await rest('DELETE', `/repos/${name}`);
  saw(`deleted ${name}`);
}

/** Returns the same name for an event, without the id of a first token, which the client does not know. */
function nameOf({ type, source, payload }: SunkEvent): string {
  const detail = [payload['tokenId'], payload['ref'], /^0+$/.test(String(payload['after'])) ? 'deleted' : undefined];
  return [type.replace('repos.repo.', ''), source.repoName, ...detail].filter((part) => part !== undefined).join(' ');
}

describe('a server killed while it delivers events', () => {
  it.each(eachRuntime)(
    '%s, REPO-190, REPO-198, REPO-377: delivers each change that a client saw done at least once, in order, in each of %i rounds',
    async (runtime, rounds) => {
      await service.start(runtime);
      await rest('POST', '/repos', { name: 'before' });
      await rest('POST', '/webhooks', { url: hook.url });
      const seen: string[] = [];
      for (let round = 0; round < rounds; round++) {
        const working = changes(`repo-${round}`, (what) => seen.push(what)).catch(() => {});
        await wait(Math.random() * longestDelay);
        await service.server.kill();
        await working;
        await service.start(runtime);
      }
      await changes('last', (what) => seen.push(what));

      for (const { events } of [sink, hook]) {
        const missing = (): string[] => {
          const told = events.map(nameOf);
          return seen.filter((what) => !told.some((name) => name === what || name.startsWith(`${what} `)));
        };
        await vi.waitFor(() => expect(missing()).toEqual([]), { timeout: 20_000, interval: 50 });

        const first = new Map<string, SunkEvent>();
        for (const event of events) {
          expect(first.get(event.id) ?? event).toEqual(event);
          first.set(event.id, event);
        }
        // Each change has one id.
        const told = [...first.values()].map(nameOf);
        expect(new Set(told).size).toBe(told.length);
        for (const name of [...Array.from({ length: rounds }, (_, i) => `repo-${i}`), 'last']) {
          const order = seen.filter((what) => what.split(' ')[1] === name && !what.startsWith('forked'));
          // The first deliveries of this repo's events are in order. Fork events belong to the parent.
          const places = order.map((what) => told.findIndex((one) => one === what || one.startsWith(`${what} `)));
          expect(places, `${name}: ${order.join(', ')}`).toEqual(places.toSorted((a, b) => a - b));
        }
      }
      await service.server.stop();
      await service.examine('at the end');
    },
    120_000,
  );
});
