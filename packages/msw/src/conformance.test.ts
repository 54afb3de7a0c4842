import { cases, type Case, type Target } from '@packhouse/conformance';
import { conformanceTests } from '@packhouse/conformance/vitest';
import type { LogRecord } from '@packhouse/router';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect } from 'vitest';
import { createMock, type ApiToken, type MockOptions } from './index.ts';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledFrame: 'bypass' }));
afterAll(() => server.close());

const everything = ['edit', 'tag.write'] as const;
const apiTokens: readonly ApiToken[] = [
  { token: 'may-do-all', permissions: everything },
  { token: 'may-do-all', zone: 'zone-local', permissions: ['tag.write'] },
  { token: 'may-read', permissions: ['read', 'tag.read'] },
  { token: 'of-the-other', account: 'other', permissions: everything },
];

let number = 0;

/** Puts a mock behind the server, at an origin of its own. */
function start(name: string, dialect: Target['dialect'], settings: Readonly<Record<string, unknown>>): Target {
  const origin = `https://mock-${++number}.example.test`;
  const failures: LogRecord[] = [];
  const mock = createMock({
    baseUrl: origin,
    dialect,
    apiTokens,
    zones: ['zone-local'],
    wholeOrigin: true,
    // A run sends more requests about tags with one token than anybody would by hand (TAG-144).
    settings: { rate_tags: { requests: 1_000_000, seconds: 1 }, ...settings } as NonNullable<MockOptions['settings']>,
    log: (record) => void (record.event === 'failure' && record.level !== 'warn' && failures.push(record)),
  });
  server.use(...mock.handlers);
  return {
    name,
    origin,
    dialect,
    account: 'local',
    apiToken: 'may-do-all',
    readToken: 'may-read',
    other: { account: 'other', apiToken: 'of-the-other' },
    zone: origin,
    zoneId: 'zone-local',
    listens: false,
    configured: async (wanted) => start(`${name}, ${JSON.stringify(wanted)}`, dialect, wanted),
    async close() {
      expect(failures).toEqual([]);
    },
  };
}

/** A mock neither sends events nor maintains what it holds. What else it lacks, the suite finds out and reports. */
const isOfMaintenance = /^(?:git\/collection\/|rest\/fork\/collected-apart$)/;
const has = ({ id, needs = [] }: Case): boolean => !isOfMaintenance.test(id) && !needs.includes('event sink');
/** Only clients in this process reach a mock: those of isomorphic-git. */
const isIsomorphic = ({ id, needs }: Case): boolean =>
  id.startsWith('git/clients/isomorphic-git') && needs?.includes('git') !== true;

/** Groups of slow cases in which no constant of a dialect can show (REPO-002): one dialect is enough for them. */
const withoutConstants =
  /^(?:git\/(?:closure|corruption|filters|mutation|regressions|round-trip|rounds|shallow|whole-pack)|rest\/content|tags\/(?:filters|limits))\b/;

for (const dialect of ['neutral', 'cloudflare'] as const) {
  const mayDiffer = ({ id }: Case): boolean => dialect === 'neutral' || !withoutConstants.test(id);
  conformanceTests({
    name: `mock, ${dialect}`,
    cases: cases.filter((one) => has(one) && mayDiffer(one) && !isIsomorphic(one)),
    start: async () => start(`mock, ${dialect}`, dialect, {}),
  });
  conformanceTests({
    name: `mock, ${dialect}, isomorphic-git`,
    cases: cases.filter((one) => has(one) && isIsomorphic(one)),
    start: async () => ({ ...start(`mock, ${dialect}, isomorphic-git`, dialect, {}), listens: true }),
  });
}
