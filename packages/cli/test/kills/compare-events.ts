import type { SunkEvent } from '../support/event-sink.ts';
import type { DoneChange } from './ledger.ts';

interface Update {
  readonly value: string;
  readonly begun: number;
  readonly ended: number;
}

interface Delivery {
  readonly after: string;
  /** Its place among the first deliveries of events. */
  readonly place: number;
}

const zero = '0'.repeat(40);

/**
 * Compares the ref updates that took effect with the `pushed` events of a receiver, each at its first delivery. Returns
 * refs whose updates differ from their events, and events that came before one of an earlier update of their repo.
 */
export function compareEvents(done: readonly DoneChange[], events: readonly SunkEvent[]): readonly string[] {
  const deliveries = firstDeliveries(events);
  const problems: string[] = [];
  const byRepo = new Map<string, (Update & Delivery)[]>();
  for (const [key, updates] of updatesOf(done)) {
    const delivered = deliveries.get(key) ?? [];
    const [values, afters] = [updates.map(({ value }) => value), delivered.map(({ after }) => after)].map(String);
    if (values !== afters) problems.push(`${key}: updates ${values}, events ${afters}`);
    const [, repo = ''] = key.split(' ');
    const known = byRepo.get(repo) ?? [];
    byRepo.set(repo, known);
    for (const [i, update] of updates.entries()) if (delivered[i]) known.push({ ...update, ...delivered[i] });
  }
  for (const [repo, known] of byRepo) {
    let latest = -1;
    for (const { begun, ended, after } of known.toSorted((a, b) => a.place - b.place)) {
      if (ended < latest) problems.push(`${repo}: the event of ${after} came too late`);
      latest = Math.max(latest, begun);
    }
  }
  return problems;
}

/** Returns the updates of each ref in their order. Refs of a new repo have no events, nor have those of a deleted one. */
function updatesOf(done: readonly DoneChange[]): ReadonlyMap<string, readonly Update[]> {
  const updates = new Map<string, Update[]>();
  for (const { changes, begun, ended } of done) {
    const keys = [...changes.keys()];
    if (keys.some((key) => key.startsWith('repo '))) continue;
    for (const key of keys.filter((one) => one.startsWith('ref '))) {
      const known = updates.get(key) ?? [];
      const value = changes.get(key) ?? zero;
      // An update to the same value changes nothing (REPO-194).
      if (value !== (known.at(-1)?.value ?? zero)) known.push({ value, begun, ended });
      updates.set(key, known);
    }
  }
  return updates;
}

function firstDeliveries(events: readonly SunkEvent[]): ReadonlyMap<string, readonly Delivery[]> {
  const ids = new Set<string>();
  const deliveries = new Map<string, Delivery[]>();
  for (const [place, { id, type, source, payload }] of events.entries()) {
    if (ids.has(id) || !type.endsWith('.pushed')) continue;
    ids.add(id);
    const key = `ref ${source.repoName} ${String(payload['ref'])}`;
    deliveries.set(key, [...(deliveries.get(key) ?? []), { after: String(payload['after']), place }]);
  }
  return deliveries;
}
