import { parseRepoName } from '@packhouse/hosting';
import type { Failures } from './failures.ts';

/** Options of a caller, with unchecked members. */
export type Given = Readonly<Record<string, unknown>>;

/** Returns the options object; an absent one is empty (BIND-016). */
export function givenOptions(failures: Failures, value: unknown, name: string): Given {
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null) {
    throw failures.error('INVALID_INPUT', `Invalid input: expected object, received ${typeName(value)} (${name})`);
  }
  return value as Given;
}

/** Prepares a value for the service, which treats null as absent. Here only undefined is absent (BIND-016). */
export function given(value: unknown): unknown {
  return value === null ? {} : value;
}

/** Does the same for a number, which the service would also accept as a text. */
export function givenNumber(value: unknown): unknown {
  return value === undefined || typeof value === 'number' ? value : Number.NaN;
}

/** Does the same for a boolean, which the service would also accept as a text. */
export function givenFlag(value: unknown): unknown {
  return value === undefined || typeof value === 'boolean' ? value : {};
}

/** @throws {RepoError} INVALID_REPO_NAME. */
export function requireRepoName(failures: Failures, name: unknown, max: number): string {
  const parsed = parseRepoName(name, max);
  if ('broken' in parsed) throw failures.error('INVALID_REPO_NAME', parsed.broken);
  return parsed.name;
}

/** @throws {RepoError} INVALID_INPUT. */
export function requireString(failures: Failures, value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw failures.error('INVALID_INPUT', `Invalid input: expected string, received ${typeName(value)} (${name})`);
}

/** @throws {RepoError} INVALID_INPUT. */
export function requireText(failures: Failures, value: unknown, name: string): string {
  const text = requireString(failures, value, name);
  if (text === '') throw failures.error('INVALID_INPUT', `Invalid input: expected a text that is not empty (${name})`);
  return text;
}

/** @throws {RepoError} INVALID_INPUT. */
export function requireInteger(failures: Failures, value: unknown, min: number, absent: number, name: string): number {
  if (value === undefined) return absent;
  if (Number.isInteger(value) && (value as number) >= min) return value as number;
  throw failures.error('INVALID_INPUT', `Invalid input: expected an integer of ${min} or more (${name})`);
}

function typeName(value: unknown): string {
  return value === null ? 'null' : typeof value;
}
