import { describe, expect, it } from 'vitest';
import { neutral } from '../dialect/neutral.ts';
import type { HostingError } from '@packhouse/base';
import { resolveSettings } from '../settings/settings.ts';
import { readForkRequest } from './fork-request.ts';

const settings = resolveSettings({ repo_name_max: 20, description_max: 5 }, neutral);

function fault(body: Readonly<Record<string, unknown>>): readonly unknown[] {
  try {
    readForkRequest(body, settings);
  } catch (error) {
    return (error as HostingError).items.map(({ code, pointer, message }) => [code, pointer, message]);
  }
  return [];
}

describe('readForkRequest', () => {
  it('REPO-120: applies defaults to members that are absent or null', () => {
    const least = { name: 'f', description: null, readOnly: false, defaultBranchOnly: true };
    expect(readForkRequest({ name: 'f' }, settings)).toEqual(least);
    const nulls = { name: 'f', description: null, read_only: null, default_branch_only: null, other: 7 };
    expect(readForkRequest(nulls, settings)).toEqual(least);
    const all = { name: 'f', description: '', read_only: true, default_branch_only: false };
    expect(readForkRequest(all, settings)).toEqual({
      name: 'f',
      description: '',
      readOnly: true,
      defaultBranchOnly: false,
    });
  });

  it('REPO-037, REPO-048: reports all bad members in the order of the specification', () => {
    expect(fault({ default_branch_only: 1, read_only: 'x', description: [], name: '.x' })).toEqual([
      [10101, '/name', 'Invalid repo name: must match /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/'],
      [10100, '/description', 'Invalid input: expected string, received array'],
      [10100, '/read_only', 'Invalid input: expected boolean, received string'],
      [10100, '/default_branch_only', 'Invalid input: expected boolean, received number'],
    ]);
    expect(fault({ name: 'x'.repeat(21), description: '123456' })).toEqual([
      [10101, '/name', 'Invalid repo name: must be at most 20 characters'],
      [10100, '/description', 'Too big: expected string to have <=5 characters'],
    ]);
    expect(fault({})).toHaveLength(1);
  });
});
