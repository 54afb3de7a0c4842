import type { PlatformErrors } from '@packhouse/problem-details';
import { answerWithFaults } from '../faults/answer-with-faults.ts';
import type { Fault } from '../faults/fault.ts';
import type { FaultMembers } from '../faults/check-fault.ts';
import { FaultList, type Faults } from '../faults/fault-list.ts';
import type { Answer } from '../handlers/intercept.ts';
import { copied } from '../values/copied.ts';
import { Tenure } from '../handlers/tenure.ts';
import type { HeldService } from '../handlers/held-service.ts';

export interface MockedOptions<Held, Content> {
  /** Opens a service that holds nothing. */
  readonly open: () => Held;
  /** What it holds at first. */
  readonly seed: Content;
  readonly faults: readonly Fault<Content>[] | undefined;
  /** Faults that can be, with their members. */
  readonly faultMembers: FaultMembers;
  /** Makes the replies of the platform in front of the service. */
  readonly platform: PlatformErrors;
  /** A token that the service does not know. */
  readonly unknownToken: string;
}

/** A service that can be seeded and reset, with faults before it. */
export interface Mocked<Held, Content> {
  readonly answer: Answer;
  readonly faults: Faults<Fault<Content>>;
  /** The service of now. */
  now(): Held;
  /** The same when all seeds are in it. @throws {SeedError} */
  held(): Promise<Held>;
  readonly store: SeededStore<Content>;
}

/** What can be done with all that a mock holds. */
export interface SeededStore<Content> {
  /** Resolves when the first seed is there, which requests wait for. @throws {SeedError} */
  ready(): Promise<void>;
  /**
   * Puts more beside what is there. What is given may be changed afterwards: the mock has a copy.
   *
   * @throws {SeedError} for what the service refuses; what came before it stays.
   */
  seed(seed: Content): Promise<void>;
  /**
   * Everything as it was when the mock was made, faults included; its clock goes on. Requests that are under way have to
   * do with what was there before, whatever they do; those that wait for a latency end waiting.
   */
  reset(): Promise<void>;
}

/** What all mocks have in common: a reset opens another service, and nothing of the one before is in it. */
export function mocked<Held extends HeldService<Content>, Content>(
  options: MockedOptions<Held, Content>,
): Mocked<Held, Content> {
  const { open, platform, unknownToken, faultMembers } = options;
  const faults = new FaultList<Content>(options.faults ?? [], { members: faultMembers, catalogue: platform.catalogue });
  const seed = copied(options.seed);
  let tenure = new Tenure<Held, Content>(open(), seed);
  return {
    answer: answerWithFaults<Content>({ faults, platform, unknownToken, now: () => tenure }),
    // Each can be passed on as it is: `afterEach(mock.faults.clear)`.
    faults: {
      get current() {
        return faults.current;
      },
      add: (...more) => faults.add(...more),
      clear: () => faults.clear(),
    },
    now: () => tenure.held,
    held: () => tenure.ready,
    store: {
      async ready() {
        await tenure.ready;
      },
      async seed(more) {
        // A promise of its own: who waits for none is told of a failure as of one that nobody caught.
        await tenure.add(copied(more));
      },
      async reset() {
        faults.restart();
        tenure = new Tenure(open(), seed);
        await tenure.ready;
      },
    },
  };
}
