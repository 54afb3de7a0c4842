/** Requests of all kinds in random order, one after the other, against a model of a few maps. */

import fc from 'fast-check';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context } from '../../../core/context.ts';
import { holds } from '../../../steps/holds.ts';
import { changeSteps } from './change-steps.ts';
import { checkWorld } from './check-world.ts';
import { atomicSteps, gitSteps, pushBranches } from './git-steps.ts';
import { addRepo, repoSteps } from './repo-steps.ts';
import type { ModelRepo, Step, World } from './world.ts';

const sequences = 2;
/** Milliseconds until no further sequence begins. Making a failure smaller must not use up the time of the case. */
export const longest = 25_000;
/** Sequences have any length up to this one. */
const stepsMax = 40;

/** Runs random steps on two new repos, and compares everything at the end. */
async function holdsInTurn(t: Context, kinds: readonly fc.Arbitrary<Step>[]): Promise<void> {
  const steps = fc.commands([...kinds], { maxCommands: stepsMax, size: 'max' });
  const property = fc.asyncProperty(steps, async (chosen) => {
    const world: World = { namespace: t.name('ns'), repos: [], gone: [], versions: [] };
    await addRepo(t, world, null);
    await addRepo(t, world, 'two');
    await pushBranches(world, world.repos[0] as ModelRepo);
    await fc.asyncModelRun(() => ({ model: world, real: t }), chosen);
    await checkWorld(t, world);
  });
  await holds(t, sequences, property, longest);
}

export const statefulInTurn: Suite = suite(
  {
    id: 'rest/stateful/repos',
    requirements: [
      'REPO-074',
      'REPO-075',
      'REPO-076',
      'REPO-077',
      'REPO-078',
      'REPO-112',
      'REPO-116',
      'REPO-118',
      'REPO-121',
      'REPO-123',
      'TOKEN-005',
      'TOKEN-006',
      'TOKEN-008',
      'TOKEN-013',
      'GIT-060',
      'GIT-125',
      'GIT-126',
      'GIT-152',
    ],
    level: 'MUST',
    slow: true,
    explanation: 'Whatever order repos, forks, tokens, pushes and fetches come in, all answers are those of a model.',
    run: async (t) => await holdsInTurn(t, [...repoSteps, ...gitSteps]),
  },
  {
    id: 'rest/stateful/changes',
    requirements: [
      'REPO-233',
      'REPO-236',
      'REPO-237',
      'REPO-238',
      'REPO-244',
      'REPO-245',
      'REPO-247',
      'REPO-248',
      'REPO-253',
      'REPO-254',
      'REPO-281',
      'REPO-282',
      'GIT-125',
      'GIT-151',
      'GIT-154',
    ],
    level: 'MUST',
    beyond: true,
    slow: true,
    explanation: 'Updates, refs, commits and merges over REST, in any order with Git and forks, fit one model.',
    run: async (t) => await holdsInTurn(t, [...repoSteps, ...gitSteps, ...atomicSteps, ...changeSteps, ...changeSteps]),
  },
);
