import { describe, expect, it } from 'vitest';
import { closure } from './made-history.test.util.ts';
import { FaultyRepository, type Fault } from './faulty-repository.test.util.ts';
import { MaintainedRepository } from './maintained-repository.test.util.ts';
import { RandomHistory, type Step } from './random-history.test.util.ts';

const steps: readonly Step[] = [
  ...Array.from({ length: 4 }, (_, i): Step => ({ what: i === 1 ? 'orphan' : 'merge', seed: 2000 + 77 * i })),
  { what: 'tag', seed: 31 },
  { what: 'delete', seed: 7 },
  { what: 'delete', seed: 8 },
];

interface Scene {
  readonly repository: MaintainedRepository;
  readonly faulty: FaultyRepository;
}

async function scene(): Promise<Scene> {
  const faulty = new FaultyRepository();
  const repository = new MaintainedRepository(700, (inner) => faulty.around(inner));
  const random = new RandomHistory(repository);
  // Leaves merged and pushed packs, retired ones in rows and in the store, and objects that are to be collected.
  for (let seed = 0; seed < 3; seed++) {
    await random.run({ what: 'push', seed });
    if (seed > 0) await repository.maintain({ mode: 'full' });
  }
  for (const step of steps) await random.run(step);
  repository.pass(repository.grace + 1);
  faulty.writes = 0;
  return { repository, faulty };
}

/** Returns the files that the sweeper would find: those of packs that the state does not have. */
function strayFiles({ state, store }: MaintainedRepository): string[] {
  const known = new Set<string>([...state.packs, ...state.retired.map(({ pack }) => pack)].map(({ id }) => id));
  return [...store.files.keys()].filter((key) => !known.has(key.slice(0, 32)));
}

const maintenance = { mode: 'full', retireGrace: 0 } as const;

describe('GIT-153: a maintenance that fails at any write', () => {
  it.each<[string, Fault, (write: number, at: number) => boolean]>([
    ['fails once', 'fails', (write, at) => write === at],
    ['fails from then on', 'fails', (write, at) => write >= at],
    ['loses a reply', 'loses its reply', (write, at) => write === at],
    ['loses all replies from then on', 'loses its reply', (write, at) => write >= at],
  ])(
    'leaves the repository as it was or as it is to be: %s',
    async (_, fault, isHit) => {
      const whole = await scene();
      const names: string[] = [];
      whole.faulty.fault = (__, name) => void names.push(name);
      const report = await whole.repository.maintain(maintenance);
      expect([report.madePacks, report.removedPacks > 0, report.collectedObjects > 0]).toEqual([1, true, true]);
      expect(new Set(names)).toEqual(
        new Set([
          'remove',
          'forgetPacks',
          'forgetTips',
          'reserve',
          'upload',
          'write',
          'complete',
          'put idx',
          'put graph',
          'replacePacks',
        ]),
      );
      // Parts of one upload are all alike.
      const places = [...names.keys()].filter(
        (i) => names[i] !== 'write' || names[i - 1] !== 'write' || names[i + 1] !== 'write',
      );

      for (const at of places) {
        const { repository, faulty } = await scene();
        faulty.fault = (write) => (isHit(write, at) ? fault : undefined);
        const outcome = await repository.maintain(maintenance).then(
          () => 'done',
          () => 'failed',
        );
        if (names[at] !== 'replacePacks') expect([at, outcome]).toEqual([at, 'failed']);
        faulty.fault = () => undefined;
        // What failed by itself, and not with all that follows, is cleared away.
        if (!isHit(at + 1, at) && names[at] !== 'replacePacks') {
          expect([at, names[at], strayFiles(repository)]).toEqual([at, names[at], []]);
        }
        await repository.check();
        expect([...(await repository.clone(repository.state.current))].sort()).toEqual(
          [...closure(repository.refs.values()).keys()].sort(),
        );
        repository.clock += 60_000;
        await repository.maintain(maintenance);
        await repository.check();
        expect([...(await repository.stored())].sort()).toEqual([...closure(repository.refs.values()).keys()].sort());
        repository.clock += 60_000;
        await repository.maintain(maintenance);
        expect([repository.state.packs.length, repository.state.retired]).toEqual([1, []]);
      }
    },
    120_000,
  );
});
