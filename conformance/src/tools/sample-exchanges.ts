/** Recorded exchanges of REST, tags and errors (`exchanges/{rest,tags,errors}/`), to be read as documentation, too. */

import { readFileSync } from 'node:fs';
import type { Context, RestReply } from '../core/context.ts';
import type { Dialect } from '../core/dialect.ts';
import { filled, type Values } from './placeholders.ts';
import { replyOf } from './reply-of.ts';

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

/** Sends a recorded request, with values in place of its placeholders. */
export async function sendSample(
  fetch: Context['fetch'],
  origin: string,
  { request }: SampleExchange,
  values: Values,
): Promise<RestReply> {
  const { method, path, headers = {}, body } = request;
  const sent = Object.entries(headers).map(([name, value]) => [name, filled(value, values)] as const);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(origin + filled(path, values), {
    method,
    headers: new Headers(sent.map(([name, value]): [string, string] => [name, value])),
    ...(text === undefined ? {} : { body: filled(text, values) }),
  });
  return replyOf(response, await response.text());
}

/** Returns the body of a reply in the form of a recording. */
export function sampleBody({ text, json }: RestReply): unknown {
  if (json !== undefined) return json;
  // YAML quotes an address as the zone of a recording, but not a name.
  return text === '' ? undefined : text.replace(/^zone: ([^"\n]+)$/m, 'zone: "$1"').split('\n');
}
