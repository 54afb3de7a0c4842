import { createGitEngine } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import {
  createHosting,
  neutral,
  type Catalogs,
  type Dialect,
  type Hosting,
  type OnEvent,
  type Outbound,
  type Settings,
} from '@packhouse/hosting';
import { memoryPackStore } from '@packhouse/storage';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';
import { faultyPort, memoryStores, sqlStores } from '@packhouse/storage/testing';
import { expect } from 'vitest';
import { createBinding } from './create-binding.ts';
import { type RepoErrorCode, repoErrorCodes } from './repo-error-code.ts';
import { RepoError } from './repo-error.ts';
import type { Repos } from './repos.ts';

export type StorageKind = 'memory' | 'SQLite';
export const storageKinds: readonly StorageKind[] = ['memory', 'SQLite'];

/** A service on its own storage, with a clock that tests advance, and a binding of its namespace `default`. */
export interface TestBinding {
  readonly hosting: Hosting;
  readonly repos: Repos;
  readonly catalog: Catalogs;
  readonly reported: unknown[];
  /** Makes each call of a port's method fail, until the test removes the entry. */
  readonly faults: Map<string, Error>;
  /** Advances the clock by seconds. */
  pass(seconds: number): void;
  bind(namespace: string, options?: { readonly account?: string; readonly valueMax?: number }): Repos;
}

export interface TestOptions {
  readonly dialect?: Dialect;
  readonly settings?: Partial<Settings>;
  readonly outbound?: Outbound;
  readonly onEvent?: OnEvent;
}

export function testBinding(
  kind: StorageKind,
  { dialect = neutral, settings = {}, outbound, onEvent }: TestOptions = {},
): TestBinding {
  let now = Date.UTC(2026, 10, 20, 9, 15, 2, 114);
  const reported: unknown[] = [];
  const faults = new Map<string, Error>();
  const { catalog, state } = kind === 'memory' ? memoryStores() : sqlStores(openNodeSqlite(':memory:'));
  const packs = memoryPackStore();
  const hosting = createHosting({
    engine: createGitEngine({ codec: nodeCodec() }),
    dialect,
    catalog: (account) => faultyPort(catalog(account), faults),
    storage: {
      repo: (account, id) => ({ id, state: faultyPort(state(account, id), faults), packs }),
      sharePacks: async () => true,
    },
    authorizer: { authorize: async () => undefined },
    settings: { accounts: ['a1', 'a2'], ...settings },
    ...(outbound && { outbound }),
    ...(onEvent && { onEvent }),
    clock: { now: () => now },
    report: (error) => reported.push(error),
  });
  const bind: TestBinding['bind'] = (namespace, { account = 'a1', ...options } = {}) =>
    createBinding({ hosting, account, namespace, ...options });
  return {
    hosting,
    repos: bind('default'),
    catalog,
    reported,
    faults,
    pass(seconds) {
      now += seconds * 1000;
    },
    bind,
  };
}

/** Returns the error that a call rejects with. It must satisfy BIND-080. */
export async function failureOf(call: Promise<unknown>, name = 'RepoError'): Promise<RepoError> {
  const error: unknown = await call.then(
    (value) => new Error(`resolved to ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof RepoError)) throw error;
  expect(Object.keys(error).toSorted()).toEqual(['code', 'hint', 'name', 'numericCode', 'reason', 'retryable']);
  expect([error.name, error.numericCode]).toEqual([name, repoErrorCodes[error.code]]);
  return error;
}

/** Returns code and message of the error that a call rejects with. */
export async function refusal(call: Promise<unknown>): Promise<[RepoErrorCode, string]> {
  const { code, message } = await failureOf(call);
  return [code, message];
}
