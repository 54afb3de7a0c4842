import type { LogRecord } from '@packhouse/base';
import { createMock, type ApiToken, type Mock, type MockOptions } from '../../src/index.ts';

/** The tokens and the zone of {@link suiteMock}, as the suite needs them. */
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
  /** Settings by their names in the specification. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** A mock that supports the whole suite. */
export interface SuiteMock {
  readonly mock: Mock;
  /** Descriptions of the unexpected failures of the service. */
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
    // A run sends far more tagging requests with one token than a person would (TAG-144).
    settings: { rate_tags: { requests: 1_000_000, seconds: 1 }, ...settings } as NonNullable<MockOptions['settings']>,
    log: (record: LogRecord) =>
      void (record.event === 'failure' && record.level !== 'warn' && failures.push(JSON.stringify(record))),
  });
  return { mock, failures };
}
