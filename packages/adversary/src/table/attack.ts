import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostileInput, HostileReply } from '@packhouse/fixtures/hostile';
import { cost, unitsOf, type Cost } from '@packhouse/git';
import { countPlatform } from '../service/counting-platform.ts';
import { openLocalService, type LocalOptions } from '../service/local-service.ts';
import { PassMeter } from '../service/pass-meter.ts';
import { storedBytes } from '../service/stored-bytes.ts';

/** The effect of one hostile input on a service. */
export interface Attacked {
  readonly replies: readonly HostileReply[];
  /**
   * Most units in one turn of the event loop: as the engine counted them, and as requested of codec, SQLite and JSON.
   */
  readonly longest: number;
  readonly longestAsked: number;
  /** Amounts by kind: as the engine counted them, and as requested of codec, SQLite and JSON. */
  readonly counted: Readonly<Record<keyof typeof cost, number>>;
  readonly asked: Readonly<Record<keyof typeof cost, number>>;
  /** Peak bytes in the engine's account of memory. */
  readonly reserved: number;
  /** Bytes of packs, indexes and graphs in the repositories afterwards. */
  readonly stored: number;
  /** Bytes sent. */
  readonly sent: number;
  readonly failures: readonly unknown[];
}

/** Sends an input to a service with a new data folder. */
export async function attack(input: HostileInput, options: LocalOptions = {}): Promise<Attacked> {
  const data = mkdtempSync(join(tmpdir(), 'packhouse-attacked-'));
  const service = openLocalService({ data, ...options });
  const { totals } = service.engine.scheduler;
  const stopCounting = countPlatform(service.asked);
  try {
    const { sent, run } = await input.prepare(service.target);
    const [countedBefore, askedBefore] = [totals.slice(), service.asked.slice()];
    const counted = new PassMeter(totals);
    const asked = new PassMeter(service.asked);
    // The work of building the input is not part of its first turn.
    await new Promise((resolve) => setImmediate(resolve));
    counted.start();
    asked.start();
    const replies = await run();
    counted.stop();
    asked.stop();
    return {
      replies,
      longest: counted.longest,
      longestAsked: asked.longest,
      counted: difference(totals, countedBefore),
      asked: difference(service.asked, askedBefore),
      sent,
      stored: await storedBytes(service, service.repos),
      reserved: service.engine.admission.reservedMost,
      failures: service.failures,
    };
  } finally {
    stopCounting();
    await service.close();
    rmSync(data, { recursive: true, force: true });
  }
}

function difference(now: Float64Array, before: Float64Array): Attacked['counted'] {
  const pairs = Object.entries(cost).map(([name, kind]) => [name, (now[kind] ?? 0) - (before[kind] ?? 0)]);
  return Object.fromEntries(pairs) as Attacked['counted'];
}

/** Converts amounts to units. */
export function unitsIn(amounts: Attacked['counted']): number {
  return Object.entries(cost).reduce(
    (sum, [name, kind]) => sum + amounts[name as keyof typeof cost] * unitsOf[kind as Cost],
    0,
  );
}

/** Returns the reason after `unpack` in the reply to a push, or the status if the reply has no report. */
export function unpackOf({ status, body }: HostileReply): string {
  const text = Buffer.from(body).toString('latin1', 0, 400);
  return /unpack ([^\n]*)\n/.exec(text)?.[1] ?? `${status} ${text.slice(0, 200)}`;
}
