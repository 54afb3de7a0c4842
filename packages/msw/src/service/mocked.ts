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
  /** Opens an empty service. */
  readonly open: () => Held;
  /** The content at the start and after each reset. */
  readonly seed: Content;
  readonly faults: readonly Fault<Content>[] | undefined;
  /** The kinds of faults that the mock supports, with their members. */
  readonly faultMembers: FaultMembers;
  /** Makes the replies of the platform in front of the service. */
  readonly platform: PlatformErrors;
  /** A token that the service does not know. */
  readonly unknownToken: string;
}

/** A service that can be seeded and reset, with faults in front of it. */
export interface Mocked<Held, Content> {
  readonly answer: Answer;
  readonly faults: Faults<Fault<Content>>;
  /** Returns the current service, perhaps before its seeds are stored. */
  now(): Held;
  /**
   * Returns the current service once all seeds are stored.
   *
   * @throws {SeedError} if the first seed was refused.
   */
  held(): Promise<Held>;
  readonly store: SeededStore<Content>;
}

/** The content of a mock as a whole. */
export interface SeededStore<Content> {
  /**
   * Resolves when all seeds so far are stored. Requests wait for them, too.
   *
   * @throws {SeedError} if the first seed was refused.
   */
  ready(): Promise<void>;
  /**
   * Adds content to the existing content. The mock copies it, so later changes to the object have no effect.
   *
   * @throws {SeedError} for content that the service refuses; the content before it stays.
   */
  seed(seed: Content): Promise<void>;
  /**
   * Restores the content and the faults that the mock was created with. Its clock goes on. Running requests use the old
   * content to their end. Pending latencies end at once.
   *
   * @throws {SeedError} if the first seed is refused.
   */
  reset(): Promise<void>;
}

/** Creates the common part of all mocks. A reset opens a new service, so nothing of the old content can remain. */
export function mocked<Held extends HeldService<Content>, Content>(
  options: MockedOptions<Held, Content>,
): Mocked<Held, Content> {
  const { open, platform, unknownToken, faultMembers } = options;
  const faults = new FaultList<Content>(options.faults ?? [], { members: faultMembers, catalogue: platform.catalogue });
  const seed = copied(options.seed);
  let tenure = new Tenure<Held, Content>(open(), seed);
  return {
    answer: answerWithFaults<Content>({ faults, platform, unknownToken, now: () => tenure }),
    // Wrapped, so that each method also works without its receiver: `afterEach(mock.faults.clear)`.
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
        // Await here, so that the caller gets a new promise: an ignored failure surfaces as an unhandled rejection.
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
