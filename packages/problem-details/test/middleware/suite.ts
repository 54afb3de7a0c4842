import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runtimeNames, type RunningEntry, type RuntimeName } from '../runtimes/running-entry.ts';
import { startEntry } from '../runtimes/start-entry.ts';
import type { Case, LogLine } from './cases/case.ts';
import { passedThrough } from './cases/passed-through.ts';
import { askAndLeave, exchange, type Asked, type Reply } from './exchange.ts';
import { whatRuntimesDo } from './what-runtimes-do.ts';

/** Timeout and interval of waiting for a log line. */
const waiting = { timeout: 10_000, interval: 5 };

/** A range request, which some runtimes answer themselves. */
const ofARange: Asked = { headers: { range: 'bytes=2-5' } };

/** Tests section 12 on the given runtimes: the cases of both forms, and `cases` of this one. */
export function describeForm(app: URL, cases: readonly Case[], on: readonly RuntimeName[] = runtimeNames): void {
  describe.each(on)('on %s', (runtime) => {
    let running: RunningEntry;
    let told = 0;
    const does = whatRuntimesDo[runtime];
    beforeAll(async () => {
      running = await startEntry(runtime, app);
    });
    afterAll(() => running.close());

    /** Returns the lines since the last call. An additional request marks the end of the log. */
    async function newLines(): Promise<readonly LogLine[]> {
      const mark = await exchange(`${running.url}/throw/platform-error`);
      const rayId = mark.headers.get('x-ray-id')?.slice(0, 16) ?? '';
      const end = await vi.waitUntil(() => {
        const index = running.lines().findIndex((line) => line.includes(rayId));
        return index < 0 ? undefined : { index };
      }, waiting);
      const lines = running.lines().slice(told, end.index);
      told = end.index + 1;
      return lines.map((line) => JSON.parse(line) as LogLine);
    }

    const ask = (path: string, asked?: Asked): Promise<Reply> => exchange(running.url + path, asked);

    // `it.each` truncates long titles, so that `-t` does not find them.
    for (const { title, path, asked, check } of cases) {
      it(title, async () => {
        const reply = await ask(path, asked);
        check(reply, await newLines(), does);
      });
    }

    it.each(passedThrough)('ERR-120, ERR-125: %s is the same as without the middleware', async (path) => {
      const [bare, wrapped] = [await ask(`/bare${path}`, ofARange), await ask(path, ofARange)];
      bare.headers.delete('date');
      wrapped.headers.delete('date');
      if (bare.headers.get('transfer-encoding') === 'chunked' && wrapped.headers.has('content-length')) {
        // A stream that ends at once is sent as bytes. Only its framing may differ.
        bare.headers.delete('transfer-encoding');
        bare.headers.set('content-length', String(bare.bytes.length));
      }
      expect({ ...wrapped, headers: [...wrapped.headers] }).toEqual({ ...bare, headers: [...bare.headers] });
      expect(bare).toMatchObject({ complete: true });
      expect(await newLines()).toEqual([]);
    });

    const lineOf = (event: string): Promise<unknown> =>
      vi.waitUntil(
        () =>
          running
            .lines()
            .slice(told)
            .some((line) => line.includes(`"${event}"`)),
        waiting,
      );

    it('ERR-128: a client that leaves an endless body stops it, which is not an error', async () => {
      const client = askAndLeave(`${running.url}/return/endless`);
      await client.data;
      client.leave();
      if (does.cancelsBody) await lineOf('cancelled');
      // Allow some more chunks.
      else await new Promise((resolve) => setTimeout(resolve, 100));
      expect(await newLines()).toEqual(does.cancelsBody ? [{ event: 'cancelled' }] : []);
    });

    it.skipIf(!does.tellsOfLeaving)('ERR-128: an error after the client has gone is not logged', async () => {
      const client = askAndLeave(`${running.url}/gone`);
      await lineOf('waiting');
      client.leave();
      await lineOf('gone');
      expect(await newLines()).toEqual([{ event: 'waiting' }, { event: 'gone' }]);
    });

    it('ERR-128: a client that breaks off its upload is not an error if the runtime reports it', async () => {
      const client = askAndLeave(`${running.url}/upload`, 'begin');
      await lineOf('waiting');
      client.leave();
      await lineOf('gone');
      const events = (await newLines()).map((line) => line['event']);
      const taken = does.tellsOfLeavingUpload ? [] : ['platform-error', 'unhandled'];
      expect(events).toEqual(['waiting', 'gone', ...taken]);
    });
  });
}
