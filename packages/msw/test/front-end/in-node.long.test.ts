// @vitest-environment jsdom
import { createMock } from '@packhouse/msw';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { behindMock } from './behind-mock.ts';
import { openPage } from './open-page.ts';
import { scenarios, sees } from './scenarios.ts';
import { visitorInNode } from './visitor-in-node.ts';

const mock = createMock({
  baseUrl: 'https://api.example.test',
  apiTokens: ['secret', 'fresh'],
});
const server = setupServer(...mock.handlers);

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => {
  // The test controls these timers, so that waits of the page and latencies of the mock take no time.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
});
afterEach(async () => {
  vi.useRealTimers();
  server.resetHandlers();
  await mock.store.reset();
});
afterAll(() => server.close());

describe('the page in Node, with a mock', () => {
  it.each(scenarios)('$name', async ({ seed, faults = [], token = 'secret', visit }) => {
    await mock.store.seed(seed);
    mock.faults.add(...faults);
    openPage(mock.restUrl);
    await visitorInNode.enter('Token', token);
    await visit(visitorInNode, behindMock(mock));
  });

  it('gives up when the tags differ each time', async () => {
    let attempts = 0;
    const isOld = (): Response => (attempts++, new HttpResponse(null, { status: 412 }));
    server.use(http.put(`${mock.accountUrl}/tags`, isOld));
    await mock.store.seed({ repos: { notes: {} } });
    openPage(mock.restUrl);
    await visitorInNode.enter('Token', 'secret');
    await sees(visitorInNode, { status: '1 repository.' });
    await visitorInNode.enter('New tag of notes', 'team=web');
    await sees(visitorInNode, { problem: { title: 'The service answered 412', again: true }, typed: 'team=web' });
    expect(attempts).toBe(5);
  });
});
