import assert from 'node:assert/strict';

/** Ids of repos and tokens (REPO-047). */
export const idForm: RegExp = /^[0-9a-z]{16}$/;

/** Times (REPO-046). */
export const timeForm: RegExp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Asserts that a value is a time in the form of the service. Returns its milliseconds. */
export function timeOf(value: unknown, what: string): number {
  assert.match(String(value), timeForm, `${what}: expected a time such as 2026-11-20T09:15:02.114Z`);
  const time = Date.parse(String(value));
  assert.ok(!Number.isNaN(time), `${what}: expected a time that exists, got ${String(value)}`);
  return time;
}

/** Asserts the members of an object, and their order. */
export function assertMembers(value: object, members: readonly string[], what: string): void {
  assert.deepEqual(Object.keys(value), members, `${what}: expected these members in this order`);
}

/** Returns a single repo without the members that the public service lacks (REPO-239, BIND-077). */
// A case knows which shape it asked for.
// oxlint-disable-next-line typescript/no-explicit-any
export function withoutDetails(info: any): any {
  const { size: _1, object_count: _2, ref_count: _3, objectCount: _4, refCount: _5, ...rest } = info;
  return rest;
}

/** Asserts that two times are `seconds` apart, give or take one. */
export function assertApart(from: string, to: string, seconds: number, what: string): void {
  const apart = (timeOf(to, what) - timeOf(from, what)) / 1000;
  assert.ok(Math.abs(apart - seconds) < 1, `${what}: expected ${seconds} s between ${from} and ${to}`);
}
