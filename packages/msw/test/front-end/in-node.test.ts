// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMock } from '@packhouse/msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { visitorInNode } from './visitor-in-node.ts';
import { startPage } from './page/page.ts';
import { scenarios } from './scenarios.ts';

const html = readFileSync(join(import.meta.dirname, 'page/index.html'), 'utf8');

const mock = createMock({
  baseUrl: 'https://api.example.test',
  apiTokens: ['secret', 'fresh'].map((token) => ({ token, permissions: ['edit', 'tag.write'] })),
});
const server = setupServer(...mock.handlers);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  // Waits of the page, and latencies of the mock.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  document.documentElement.innerHTML = html;
});
afterEach(async () => {
  vi.useRealTimers();
  await mock.store.reset();
});
afterAll(() => server.close());

const behind = {
  seed: mock.store.seed,
  tags: async () => Object.fromEntries((await mock.store.inspect.tags()).map(({ name, tags }) => [name, tags])),
};

describe('the page in Node, with a mock', () => {
  it.each(scenarios)('$name', async ({ seed, faults = [], visit }) => {
    await mock.store.seed(seed);
    mock.faults.add(...faults);
    void startPage(mock.apiUrl);
    await visitorInNode.enter('Token', 'secret');
    await visit(visitorInNode, behind);
  });
});
