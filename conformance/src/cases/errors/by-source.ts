import type { Case, Suite } from '../../core/case.ts';
import type { Context } from '../../core/context.ts';
import { entries, type CatalogueEntry } from './catalogue-entries.ts';

interface CaseOfCodes extends Omit<Case, 'beyond' | 'run'> {
  run(t: Context, codes: readonly CatalogueEntry[]): Promise<void>;
}

const isProposed = ({ name_source: name, status_source: status }: CatalogueEntry): boolean =>
  name === 'proposed' || status === 'proposed';

/**
 * Declares a case about names or statuses twice. The first runs with codes whose name and status are published or
 * captured. The second runs with codes for which the specification proposes one, and goes beyond the public service
 * (section 1).
 */
export function bySource({ id, run, ...rest }: CaseOfCodes): Suite {
  const known = entries.filter((entry) => !isProposed(entry));
  return [
    { ...rest, id, run: async (t) => await run(t, known) },
    { ...rest, id: `${id}-proposed`, beyond: true, run: async (t) => await run(t, entries.filter(isProposed)) },
  ];
}
