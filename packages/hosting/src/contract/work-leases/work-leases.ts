import { fc } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { LeaseLostError, type WorkLease, type WorkLeases, type WorkStorage } from '../../ports/work-leases.ts';

/** Leases over one empty storage. */
export interface WorkLeasesFixture {
  /** Opens the leases as one more process does. */
  readonly open: () => WorkLeases;
  readonly storage: WorkStorage;
  /** Moves the clock of the storage on by that many milliseconds. */
  readonly pass: (milliseconds: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

const processes = 3;
const keys = ['maintain r1', 'maintain r2'] as const;

interface Step {
  readonly does: 'take' | 'renew' | 'release' | 'die' | 'pass' | 'change';
  readonly process: number;
  readonly key: number;
  readonly milliseconds: number;
}

const steps = fc.array(
  fc.record<Step>({
    does: fc.constantFrom('take', 'take', 'take', 'renew', 'release', 'die', 'pass', 'pass', 'change', 'change'),
    process: fc.nat(processes - 1),
    key: fc.nat(keys.length - 1),
    // Far more than any test takes, so that the real clock of a database decides nothing.
    milliseconds: fc.constantFrom(1_000_000, 2_000_000, 3_000_000),
  }),
  { maxLength: 30 },
);

/** Tests an adapter of {@link WorkLeases}. */
export function testWorkLeases(
  name: string,
  make: () => Promise<WorkLeasesFixture>,
  options: { readonly runs: number },
): void {
  describe(`work leases: ${name}`, () => {
    it('REPO-330: have one holder at a time, and only the last one changes anything', async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (given) => {
          const fixture = await make();
          try {
            await play(fixture, given);
          } finally {
            await fixture.close();
          }
        }),
        { numRuns: options.runs },
      );
    }, 120_000);

    it('REPO-330: of many takes at once, one succeeds, also after an expiry', async () => {
      const fixture = await make();
      try {
        for (let round = 0; round < 5; round++) {
          const takes = Array.from({ length: 12 }, () => fixture.open().take('sweep a1', 1_000_000));
          const taken = (await Promise.all(takes)).filter((lease) => lease !== undefined);
          expect(taken).toHaveLength(1);
          await fixture.pass(1_000_001);
        }
      } finally {
        await fixture.close();
      }
    });
  });
}

/** Compares each result with a model: the last holder of each key and its expiry. */
async function play({ open, storage, pass }: WorkLeasesFixture, given: readonly Step[]): Promise<void> {
  const held = Array.from({ length: processes }, () => ({ leases: open(), byKey: new Map<string, WorkLease>() }));
  const current = new Map<string, { readonly fence: number; expires: number }>();
  let now = 0;
  let highest = 0;
  let changes = 0;
  for (const step of given) {
    const process = held[step.process] as (typeof held)[number];
    const key = keys[step.key] as string;
    const mine = process.byKey.get(key);
    const last = current.get(key);
    const isCurrent = mine !== undefined && last?.fence === mine.fence;
    if (step.does === 'pass') {
      // An odd number, so that no expiry is exactly now.
      now += step.milliseconds / 2 + 1;
      await pass(step.milliseconds / 2 + 1);
    } else if (step.does === 'take') {
      const lease = await process.leases.take(key, step.milliseconds);
      expect(lease !== undefined).toBe(last === undefined || last.expires < now);
      if (lease === undefined) continue;
      expect(lease.fence).toBeGreaterThan(highest);
      highest = lease.fence;
      process.byKey.set(key, lease);
      current.set(key, { fence: lease.fence, expires: now + step.milliseconds });
    } else if (mine === undefined) continue;
    else if (step.does === 'die') process.byKey.delete(key);
    else if (step.does === 'renew') {
      expect(await mine.renew(step.milliseconds)).toBe(isCurrent);
      if (isCurrent) last.expires = now + step.milliseconds;
    } else if (step.does === 'release') {
      await mine.release();
      if (isCurrent) current.delete(key);
    } else {
      const namespace = `n${changes++}`;
      const change = mine.storage.catalog('a1').createNamespace(namespace, 'unrestricted', 0);
      if (isCurrent) expect(await change).toBe('created');
      else await expect(change).rejects.toBeInstanceOf(LeaseLostError);
      expect((await storage.catalog('a1').namespace(namespace)) !== undefined).toBe(isCurrent);
    }
  }
}
