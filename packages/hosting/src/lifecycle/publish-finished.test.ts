import { RepoGoneError } from '@packhouse/git';
import { expect, it } from 'vitest';
import type { Context } from '../internal/context.ts';
import type { RepoRecord } from '../ports/catalog.ts';
import { publishFinished } from './publish-finished.ts';

const repo = { id: 'k3v9p0x2m7q4w8zt', jurisdiction: 'unrestricted', status: 'forking' } as RepoRecord;

/** A fork whose state ends with this error after it was opened. */
const contextOf = (error: Error): Context => {
  const state = {
    open: async () => ({ kind: 'open', head: { defaultBranch: 'main', status: 'ready' }, version: 1 }),
    storedBytes: () => Promise.reject(error),
  };
  return { clock: { now: () => 0 }, storage: { repo: () => ({ state }) } } as unknown as Context;
};

it('publishes no fork that is deleted meanwhile, and hides no other failure', async () => {
  await expect(publishFinished(contextOf(new RepoGoneError('deleted')), 'a1', repo)).resolves.toBeUndefined();
  await expect(publishFinished(contextOf(new Error('broken')), 'a1', repo)).rejects.toThrow('broken');
});
