import type { Catalogs, Dialect, Hosting } from '@packhouse/hosting';
import type { Grant, LogRecord } from '@packhouse/base';
import type { TagStores } from '@packhouse/tagging';
import { createGitEngine, type GitEngine, type PackId, type PackStore } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';
import { faultyPort, memoryStores, sqlStores } from '@packhouse/storage/testing';
import { createAreas } from './areas.ts';
import type { GitFace } from './git/face.ts';
import { expectTold } from './rest/told-form.test.util.ts';
import { createService, type Service } from './service.ts';
import type { ServiceSettings } from './settings/service-settings.ts';

export type StorageKind = 'memory' | 'SQLite';

/** A service with separate storage. Its clock moves only by `pass`. */
export interface TestService {
  readonly hosting: Hosting;
  readonly service: Service;
  readonly catalog: Catalogs;
  readonly log: LogRecord[];
  /** The packs that were removed from the pack stores. */
  readonly removed: PackId[];
  /** The packs that the pack stores list as leftovers. */
  readonly leftovers: PackId[];
  readonly reported: unknown[];
  /** Moves the clock by seconds. */
  pass(seconds: number): void;
  /**
   * Sends a request of the account `a1` with the editing token, and checks the reply against the OpenAPI document.
   * `path` follows the account base.
   */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Sends any request. */
  send(path: string, init?: RequestInit): Promise<Response>;
  /** Waits for work that goes on after replies. */
  settled(): Promise<void>;
  /** Makes the next call of a port method fail. */
  readonly faults: Map<string, Error>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // Each test knows the shape of the result that it requested.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: { result: any; success: boolean; errors: ErrorShape[]; messages: unknown[]; result_info: any };
}

interface ErrorShape {
  code: number;
  message: string;
  documentation_url: string;
  source?: { pointer: string };
  details?: Record<string, unknown>;
  reason: string;
  retryable: boolean;
  hint: string;
}

/** The editing token of account `a1`. */
export const editToken = 'edit-a1';

/** Tokens of the tagging API, all of `a1` or of its zone `z1`. */
const tagGrants: readonly (readonly [string, readonly Grant[]])[] = [
  ['tag-read', [{ account: 'a1', permission: 'Tag Read' }]],
  ['tag-list', [{ account: 'a1', permission: 'tag.list' }]],
  ['tag-write', [{ account: 'a1', permission: 'Tag Write' }]],
  ['tag-zone-read', [{ zone: 'z1', permission: 'Tag Read' }]],
  ['tag-zone-write', [{ zone: 'z1', permission: 'tag.write' }]],
];

export interface TestOptions {
  readonly dialect: Dialect;
  readonly storage?: StorageKind;
  readonly settings?: Partial<ServiceSettings>;
  readonly git?: GitFace;
  /** Replaces the catalog of `storage`. */
  readonly catalog?: Catalogs;
  /** Default: an engine without a memory limit. */
  readonly engine?: GitEngine;
  /** Default: no tagging. */
  readonly tags?: TagStores;
  /** Runs after each search for a stored API token, before its result is used. */
  readonly afterTokenSearch?: () => Promise<void>;
}

export function testService({
  dialect,
  storage = 'memory',
  settings = {},
  git,
  engine = createGitEngine({ codec: nodeCodec() }),
  catalog: given,
  tags,
  afterTokenSearch,
}: TestOptions): TestService {
  let now = Date.UTC(2026, 10, 20, 9, 15, 2, 114);
  const [removed, leftovers, reported, log]: [PackId[], PackId[], unknown[], LogRecord[]] = [[], [], [], []];
  const work = new Set<Promise<void>>();
  const faults = new Map<string, Error>();
  const faulty = <T extends object>(port: T): T => faultyPort(port, faults, { once: true });
  const { apiTokens, catalog, state } = storage === 'memory' ? memoryStores() : sqlStores(openNodeSqlite(':memory:'));
  const packs = {
    partSize: 8 * 1024 * 1024,
    leftovers: async () => [...leftovers],
    remove: async (id: PackId) => {
      removed.push(id);
      leftovers.splice(leftovers.indexOf(id) >>> 0, 1);
    },
  } as unknown as PackStore;
  const { read, edit } = dialect.permissions;
  const grants = new Map<string, readonly Grant[]>([
    [editToken, [{ account: 'a1', permission: edit }]],
    ['read-a1', [{ account: 'a1', permission: read }]],
    ['edit-a2', [{ account: 'a2', permission: edit }]],
    ['nothing', []],
    ['everything-a1', [edit, 'Tag Write'].map((permission) => ({ account: 'a1', permission }))],
    ...tagGrants,
  ]);
  const {
    hosting,
    tagging,
    settings: resolved,
  } = createAreas({
    engine,
    dialect,
    storage: {
      catalog: (account) => faulty((given ?? catalog)(account)),
      repos: {
        repo(account, id, jurisdiction) {
          askedJurisdictions.set(id, jurisdiction);
          return { id, state: faulty(state(account, id)), packs };
        },
        sharePacks: async () => false,
      },
      tags: tags && ((account) => faulty(tags(account))),
      apiTokens(account) {
        const store = faulty(apiTokens(account));
        const find: typeof store.find = async (hash) => {
          const found = await store.find(hash);
          await afterTokenSearch?.();
          return found;
        };
        return new Proxy(store, { get: (_, name) => (name === 'find' ? find : Reflect.get(store, name)) as unknown });
      },
    },
    authorize: async (token) => grants.get(token),
    settings: { accounts: ['a1', 'a2'], ...settings },
    clock: { now: () => now },
    background: (promise) => void work.add(promise),
    report: (error) => reported.push(error),
  });
  const service = createService({
    hosting,
    git: git ?? (async (_, match) => Response.json(match)),
    tags: tagging && { tagging, settings: resolved },
    log: (record) => log.push(record),
  });
  const origin = hosting.settings.public_url;
  const base = `${dialect.basePath}/accounts/a1/${dialect.serviceSegment}`;
  const send: TestService['send'] = (path, init) => service(new Request(new URL(path, origin), init));
  return {
    hosting,
    service,
    catalog: given ?? catalog,
    log,
    removed,
    leftovers,
    reported,
    faults,
    pass: (seconds) => {
      now += seconds * 1000;
    },
    send,
    async call(method, path, body, headers = {}) {
      const response = await send(`${base}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${editToken}`,
          ...(typeof body === 'object' && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      if (text !== '') expectTold(method, path, response.status, JSON.parse(text));
      return {
        status: response.status,
        headers: response.headers,
        text,
        json: text === '' ? undefined : JSON.parse(text),
      } as Reply;
    },
    async settled() {
      await Promise.all(work);
    },
  };
}

/** The jurisdictions that storage received, by repo id. */
export const askedJurisdictions = new Map<string, string>();
