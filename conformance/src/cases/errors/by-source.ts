import type { Case, Suite } from '../../core/case.ts';
import type { Context } from '../../core/context.ts';
import { entries, type CatalogueEntry } from './catalogue-entries.ts';

interface CaseOfCodes extends Omit<Case, 'beyond' | 'run'> {
  run(t: Context, codes: readonly CatalogueEntry[]): Promise<void>;
}

const isProposed = ({ name_source: name, status_source: status }: CatalogueEntry): boolean =>
  name === 'proposed' || status === 'proposed';

/**
 * A case that looks at names or statuses: once with the codes whose own are published or seen, and once with those whose
 * name or status is proposed by the specification, which goes beyond the public service (section 1).
 */
export function bySource({ id, run, ...rest }: CaseOfCodes): Suite {
  const known = entries.filter((entry) => !isProposed(entry));
  return [
    { ...rest, id, run: async (t) => await run(t, known) },
    { ...rest, id: `${id}-proposed`, beyond: true, run: async (t) => await run(t, entries.filter(isProposed)) },
  ];
}
