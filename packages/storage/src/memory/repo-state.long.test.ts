import { testMaintainedState } from '../contract/maintained-state.ts';
import type { MaintainedRepoState } from '../repo-state/maintained.ts';
import { memoryRepoState } from './repo-state.ts';

testMaintainedState('memory', () => {
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
