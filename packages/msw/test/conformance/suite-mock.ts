import type { LogRecord } from '@packhouse/base';
import { createMock, type ApiToken, type Mock, type MockOptions } from '../../src/index.ts';

/** What the suite is told of the tokens and the zone of {@link suiteMock}. */
export const tenants = {
  account: 'local',
  apiToken: 'may-do-all',
  readToken: 'may-read',
  other: { account: 'other', apiToken: 'of-the-other' },
  zoneId: 'zone-local',
} as const;

const everything = ['edit', 'tag.write'] as const;
const apiTokens: readonly ApiToken[] = [
  { token: tenants.apiToken, permissions: everything },
  { token: tenants.apiToken, zone: tenants.zoneId, permissions: ['tag.write'] },
  { token: tenants.readToken, permissions: ['read', 'tag.read'] },
  { token: tenants.other.apiToken, account: tenants.other.account, permissions: everything },
];

export interface SuiteMockOptions {
  readonly origin: string;
  readonly dialect: 'neutral' | 'cloudflare';
  /** By their names in the specification. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** A mock that the suite can ask everything. */
export interface SuiteMock {
  readonly mock: Mock;
  /** What the service has reported as failures of its own, in words. */
  readonly failures: readonly string[];
}

export function suiteMock({ origin, dialect, settings }: SuiteMockOptions): SuiteMock {
  const failures: string[] = [];
  const mock = createMock({
    baseUrl: origin,
    dialect,
    apiTokens,
    zones: [tenants.zoneId],
    wholeOrigin: true,
    // A run sends more requests about tags with one token than anybody would by hand (TAG-144).
    settings: { rate_tags: { requests: 1_000_000, seconds: 1 }, ...settings } as NonNullable<MockOptions['settings']>,
    log: (record: LogRecord) =>
      void (record.event === 'failure' && record.level !== 'warn' && failures.push(JSON.stringify(record))),
  });
  return { mock, failures };
}
