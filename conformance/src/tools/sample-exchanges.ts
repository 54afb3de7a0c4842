/** Recorded exchanges of REST, tags and errors (`exchanges/{rest,tags,errors}/`), to be read as documentation, too. */

import { readFileSync } from 'node:fs';
import type { RestReply } from '../core/context.ts';
import type { Dialect } from '../core/dialect.ts';
import { filled, type Values } from './placeholders.ts';

export type SampleArea = 'rest' | 'tags' | 'errors';

/** One file. */
export interface SampleExchanges {
  /** A sentence about the exchanges. */
  readonly title: string;
  readonly exchanges: readonly SampleExchange[];
}

export interface SampleExchange {
  readonly request: {
    readonly method: string;
    /** Path and query, with placeholders. */
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    /** Sent as JSON; a string is sent unchanged. */
    readonly body?: unknown;
  };
  readonly reply: SampleReply;
}

export interface SampleReply {
  readonly status: number;
  /** By lower-case name; null: absent. Others may be there. */
  readonly headers: Readonly<Record<string, string | null>>;
  /** JSON, or the lines of a text. Absent: no body. */
  readonly body?: unknown;
  /** Texts that the body contains, in place of `body`: of pages whose design is free. */
  readonly contains?: readonly string[];
}

/** Returns the address of a file. */
export function sampleFile(area: SampleArea, name: string, dialect: Dialect['name']): URL {
  return new URL(`../../exchanges/${area}/${name}.${dialect}.json`, import.meta.url);
}

export function readSample(area: SampleArea, name: string, dialect: Dialect['name']): SampleExchanges {
  return JSON.parse(readFileSync(sampleFile(area, name, dialect), 'utf8')) as SampleExchanges;
}

/** A recorded request, ready to be sent. */
export interface SampleRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Returns a recorded request with values in place of its placeholders. */
export function sampleRequest({ request }: SampleExchange, values: Values): SampleRequest {
  const { method, path, headers = {}, body } = request;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    method,
    path: filled(path, values),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value, values)])),
    ...(text === undefined ? {} : { body: filled(text, values) }),
  };
}

/** Returns the body of a reply in the form of a recording. */
export function sampleBody({ text, json }: RestReply): unknown {
  if (json !== undefined) return json;
  // YAML quotes an address as the zone of a recording, but not a name.
  return text === '' ? undefined : text.replace(/^zone: ([^"\n]+)$/m, 'zone: "$1"').split('\n');
}
