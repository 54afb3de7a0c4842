import { testRepoState } from '../contract/repo-state.ts';
import type { MaintainedRepoState } from './maintained.ts';
import { memoryRepoState } from './memory.ts';

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
