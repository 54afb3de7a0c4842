import type { RuntimeName } from '../runtimes/running-entry.ts';
import type { OriginName } from './origins.ts';

/** A failure of an origin, and the code of `fetchOrigin` on each runtime. */
export interface Told extends Readonly<Record<RuntimeName, number>> {
  /** Name in the README. */
  readonly failure: string;
  readonly requirement: string;
  /** An origin with this failure; absent if it needs several machines or privileges. */
  readonly origin?: OriginName;
}

/** The table of the README, section "Fetching from an origin". */
export const tellingTable: readonly Told[] = [
  {
    failure: 'name does not resolve',
    requirement: 'ERR-132',
    origin: 'noName',
    node: 1016,
    deno: 1016,
    bun: 1016,
    workerd: 502,
  },
  {
    failure: 'connection refused',
    requirement: 'ERR-133',
    origin: 'refused',
    node: 521,
    deno: 521,
    bun: 521,
    workerd: 502,
  },
  { failure: 'no connection ¹', requirement: 'ERR-134', node: 522, deno: 502, bun: 502, workerd: 502 },
  { failure: 'no route to host or network', requirement: 'ERR-135', node: 523, deno: 523, bun: 523, workerd: 502 },
  { failure: 'no complete headers ²', requirement: 'ERR-136', node: 524, deno: 502, bun: 502, workerd: 502 },
  {
    failure: 'certificate not valid',
    requirement: 'ERR-138',
    origin: 'selfSigned',
    node: 526,
    deno: 526,
    bun: 526,
    workerd: 502,
  },
  {
    failure: 'TLS: no TLS on this port',
    requirement: 'ERR-137',
    origin: 'noTls',
    node: 525,
    deno: 525,
    bun: 525,
    workerd: 502,
  },
  {
    failure: 'TLS: handshake refused',
    requirement: 'ERR-137',
    origin: 'tlsRefused',
    node: 525,
    deno: 525,
    bun: 525,
    workerd: 502,
  },
  {
    failure: 'TLS: hung up in the handshake',
    requirement: 'ERR-137',
    origin: 'tlsClosed',
    node: 525,
    deno: 525,
    bun: 520,
    workerd: 502,
  },
  {
    failure: 'TLS: reset in the handshake',
    requirement: 'ERR-137',
    origin: 'tlsReset',
    node: 520,
    deno: 525,
    bun: 520,
    workerd: 502,
  },
  {
    failure: 'connection reset',
    requirement: 'ERR-139',
    origin: 'reset',
    node: 520,
    deno: 520,
    bun: 520,
    workerd: 502,
  },
  { failure: 'empty reply', requirement: 'ERR-139', origin: 'empty', node: 520, deno: 520, bun: 520, workerd: 502 },
  { failure: 'reply is no HTTP', requirement: 'ERR-139', origin: 'junk', node: 520, deno: 520, bun: 520, workerd: 502 },
  {
    failure: 'header cannot be read',
    requirement: 'ERR-139',
    origin: 'badHeader',
    node: 520,
    deno: 520,
    bun: 520,
    workerd: 502,
  },
  {
    failure: 'headers break off',
    requirement: 'ERR-139',
    origin: 'halfHeaders',
    node: 520,
    deno: 520,
    bun: 520,
    workerd: 502,
  },
];
