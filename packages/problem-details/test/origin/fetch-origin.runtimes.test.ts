import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type RunningEntry, type RuntimeName, runtimeNames } from '../runtimes/running-entry.ts';
import { startEntry } from '../runtimes/start-entry.ts';
import { type Origins, startOrigins } from './origins.ts';
import type { Answer, Question } from './question.ts';
import { tellingTable } from './told.ts';

let origins: Origins;
beforeAll(async () => {
  origins = await startOrigins();
});
afterAll(() => origins.close());

/** Limits that keep tests short. */
const brief = { connectTimeout: 0.1, readTimeout: 0.4 };

/**
 * Requests of a client that goes away, and the resulting error. Deno and workerd do not report that the client broke
 * off an upload. While a client only waits, workerd does not notice that it has gone.
 */
const leavings: readonly ({ what: string; sent: string } & Partial<Record<RuntimeName, string>>)[] = [
  {
    what: 'GET',
    sent: 'GET / HTTP/1.1\r\nHost: a\r\nX-Origin: ?\r\n\r\n',
    node: 'another error',
    deno: 'another error',
    bun: 'another error',
  },
  {
    what: 'upload',
    sent: 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nX-Origin: ?\r\n\r\na part',
    node: 'another error',
    deno: 'platform error 502',
    bun: 'another error',
    workerd: 'platform error 502',
  },
];

describe.each(runtimeNames)('fetchOrigin on %s', (runtime) => {
  let entry: RunningEntry;
  beforeAll(async () => {
    entry = await startEntry(runtime, new URL('ask-origin.ts', import.meta.url));
  });
  afterAll(() => entry.close());

  const ask = async (question: Question): Promise<Answer> => {
    const response = await fetch(entry.url, { method: 'POST', body: JSON.stringify(question) });
    return (await response.json()) as Answer;
  };

  const live = tellingTable.flatMap(({ origin, ...row }) => (origin === undefined ? [] : [{ ...row, origin }]));
  it.each(live)('$requirement: $failure', async ({ origin, [runtime]: code }) => {
    const answer = await ask({ url: origins.url[origin] });
    expect(answer, answer.cause).toMatchObject({ code });
    expect(answer.cause).toMatch(/./);
  });

  it.each(['silent', 'halfThenSilent'] as const)('ERR-136 ERR-159: no complete headers in time: %s', async (origin) => {
    const url = origins.url[origin];
    const cause = 'TimeoutError: no response headers within 0.5 s';
    const times = [{ connectsWithin: 0.5 }, {}, { connectsWithin: 0.6 }];
    expect(await Promise.all(times.map((time) => ask({ url, ...brief, ...time })))).toEqual([
      { code: 524, cause },
      { code: 502, cause },
      { code: 502, cause },
    ]);
  });

  it('passes on the abort of the client unchanged', async () => {
    const answer = await ask({ url: origins.url.silent, abortAfter: 200 });
    expect(answer.code).toBeUndefined();
    expect(answer.thrown).toMatch(/^(TimeoutError|AbortError): /);
  });

  const told = leavings.flatMap(({ [runtime]: line, ...leaving }) =>
    line === undefined ? [] : [{ ...leaving, line }],
  );
  it.each(told)('ends its request when the client goes away: $what', async ({ sent, line }) => {
    const asked = origins.nextSilence();
    const client = connect(Number(new URL(entry.url).port), '127.0.0.1');
    client.write(sent.replace('?', origins.url.silent));
    const { ended } = await asked;
    const before = entry.lines().length;
    client.destroy();
    await ended;
    await vi.waitFor(() => expect(entry.lines().slice(before)).toEqual([line]), { timeout: 10_000 });
  });

  it('ERR-120: passes on a response of any status unchanged, even redirects', async () => {
    const { healthy } = origins.url;
    expect(await ask({ url: `${healthy}/failing` })).toMatchObject({
      status: 522,
      headers: { 'x-made-by': 'the origin' },
      body: 'its own',
    });
    expect(await ask({ url: `${healthy}/redirect` })).toMatchObject({
      status: 302,
      headers: { location: '/elsewhere' },
      body: 'over there',
    });
  });

  it('requests the host of its URL, regardless of the host in the request of the client', async () => {
    const { healthy } = origins.url;
    const response = await fetch(entry.url, { headers: { 'X-Origin': healthy } });
    expect(response.headers.get('X-Host')).toBe(new URL(healthy).host);
  });

  it('ERR-120: passes on a readable body if the origin compresses', async () => {
    const headers = { 'X-Origin': `${origins.url.healthy}/compressed`, 'Accept-Encoding': 'gzip' };
    const response = await fetch(entry.url, { headers });
    expect(await response.text()).toBe('small');
  });

  it('streams the body of a request, and that of the response', async () => {
    let send: (part: string | undefined) => void = () => undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = (part) => (part === undefined ? controller.close() : controller.enqueue(new TextEncoder().encode(part)));
      },
    });
    const arrived = origins.nextPart();
    send('first');
    const headers = { 'X-Origin': `${origins.url.healthy}/parts` };
    const reply = fetch(entry.url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
    expect(await arrived).toBe('first');
    send('second');
    send(undefined);
    expect(await (await reply).text()).toBe('firstsecond');
  });

  it('does not limit the time of a response body', async () => {
    // Long enough for the headers, but shorter than the body takes.
    const times = { connectTimeout: 0.2, readTimeout: 0.8 };
    expect(await ask({ url: origins.url.slowBody, ...times })).toMatchObject({ status: 200, body: 'ok' });
  });
});
