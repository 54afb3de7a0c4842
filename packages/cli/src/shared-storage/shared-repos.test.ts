import { expect, it } from 'vitest';
import type { KnownRepo } from '../data-folder/inventory.ts';
import { lastingFindings } from './shared-repos.ts';

it('REPO-389: a repository that a server deletes during an examination is no fault, and a lost one is', () => {
  const repo = (id: string, name?: string): KnownRepo => {
    const state = { stored: true, ready: true, unfinished: false };
    return { account: 'a1', id, name, jurisdiction: 'unrestricted', ...state };
  };
  const finding = (name: string | null, account = 'a1') => ({ repo: name, account, where: null, what: 'is not there' });
  const known = [repo('r1', 'n/lost'), repo('r2', 'n/renamed'), repo('r3', 'n/deleted'), repo('r4')];
  const now = [repo('r1', 'n/lost'), repo('r2', 'n/other')];
  const lasting = [finding(null), finding('n/lost'), finding('n/renamed'), finding('n/deleted', 'a2')];
  expect(lastingFindings([...lasting, finding('n/deleted'), finding('r4')], known, now)).toEqual(lasting);
});
