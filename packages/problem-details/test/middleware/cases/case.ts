import { expect } from 'vitest';
import { secret } from '../apps/throwing.ts';
import type { Asked, Reply } from '../exchange.ts';
import type { WhatARuntimeDoes } from '../what-runtimes-do.ts';

/** A line of the log of an app. */
export type LogLine = Readonly<Record<string, unknown>>;

/** One request of the suite, with the expected result. */
export interface Case {
  /** Begins with the id of its requirement. */
  readonly title: string;
  readonly path: string;
  readonly asked?: Asked;
  /** Checks the reply and its log lines. */
  readonly check: (reply: Reply, logged: readonly LogLine[], does: WhatARuntimeDoes) => void;
}

/** Requests the JSON form. */
export const json: Asked = { headers: { accept: 'application/problem+json' } };

/** Expects the error of a code, with its ray id in the log, and without content that only the log may have. */
export function expectRendered(reply: Reply, code: number, status: number, logged: readonly LogLine[]): void {
  const problem = JSON.parse(reply.body) as Record<string, unknown>;
  const rayId = problem['ray_id'];
  expect(problem).toMatchObject({ error_code: code, status, instance: rayId, platform_error: true });
  expect(reply).toMatchObject({ status, complete: true });
  expect(reply.headers.get('x-ray-id')).toMatch(new RegExp(`^${String(rayId)}-[A-Z]{3}$`));
  expect(reply.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(reply.headers.get('content-length')).toBe(String(Buffer.byteLength(reply.body)));
  expect(reply.headers.has('x-problem-details-unanswered')).toBe(false);
  expect(reply.body + JSON.stringify([...reply.headers])).not.toContain(secret);
  expect(logged).toContainEqual(expect.objectContaining({ event: 'platform-error', code, ray_id: rayId, status }));
}

/** Returns the only line of an event. */
export function theLine(logged: readonly LogLine[], event: string): LogLine | undefined {
  const lines = logged.filter((line) => line['event'] === event);
  expect(lines).toHaveLength(1);
  return lines[0];
}
