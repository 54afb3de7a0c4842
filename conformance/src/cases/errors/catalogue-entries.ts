import data from './error-catalogue.json' with { type: 'json' };

/** The source of a fact. A `proposed` one goes beyond the public service. */
type Source = 'published' | 'captured' | 'proposed';

/** One code of the specification. */
export interface CatalogueEntry {
  readonly code: number;
  readonly short_name: string;
  readonly http_status: number;
  readonly category: string;
  readonly error_name: string;
  readonly name_source: Source;
  readonly status_source: Source;
  readonly retryable: boolean;
  /** Seconds, for retryable codes. */
  readonly retry_after?: number;
  readonly owner_action_required: boolean;
  readonly responsible: 'visitor' | 'owner' | 'platform';
  readonly detail: string;
  readonly what_you_should_do: string;
}

/**
 * The 72 codes (ERR-009): a copy of `docs/specification/error-catalogue.json`, since the published suite comes without
 * that file.
 */
export const entries: readonly CatalogueEntry[] = data as readonly CatalogueEntry[];

/**
 * Returns the entry of a code.
 *
 * @throws if the catalogue has no such code.
 */
export function entryOf(code: number): CatalogueEntry {
  const entry = entries.find((one) => one.code === code);
  if (entry === undefined) throw new Error(`${code} is not in the catalogue`);
  return entry;
}

/**
 * A few codes that differ in everything that replies depend on: status, retrying, party at fault, length of the code.
 */
export const variety: readonly CatalogueEntry[] = [500, 522, 526, 1000, 1003, 1015, 1020, 1101, 1205].map(entryOf);
