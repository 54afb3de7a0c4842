import { testRepoState } from '../contract/repo-state/repo-state.ts';
import type { MaintainedRepoState } from '../repo-state/maintained.ts';
import { memoryRepoState } from './repo-state.ts';

testRepoState('memory', () => {
  const states = new Map<string, MaintainedRepoState>();
  return {
    open: (id) => {
      const state = states.get(id) ?? memoryRepoState();
      states.set(id, state);
      return state;
    },
    close: () => states.clear(),
  };
});
