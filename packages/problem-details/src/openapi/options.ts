import { type Catalogue, createCatalogue } from '../catalogue/catalogue.ts';
import type { Entry } from '../catalogue/entry.ts';
import { neutral } from '../dialect/neutral.ts';
import type { ReportSettings } from '../problem/describe.ts';

/** Configuration of the documented app. The result of `createPlatformErrors` has both members. */
export interface OpenApiOptions {
  /** Default: the built-in catalogue. */
  readonly catalogue?: Catalogue;
  /** Default: the neutral dialect at `https://packhouse.example`, as in `createPlatformErrors`. */
  readonly settings?: ReportSettings;
}

export const defaultSettings: ReportSettings = { dialect: neutral, docsBase: 'https://packhouse.example' };

/** Built at first use, so that importing the module costs nothing. */
let builtIn: Catalogue | undefined;

/**
 * Returns the entries of codes, without duplicates, sorted by code.
 *
 * @throws RangeError naming a code that the catalogue lacks.
 */
export function entriesOf(codes: readonly number[], { catalogue }: OpenApiOptions): readonly Entry[] {
  const known = catalogue ?? (builtIn ??= createCatalogue());
  return [...new Set(codes)]
    .sort((one, other) => one - other)
    .map((code) => {
      const entry = known.get(code);
      if (entry === undefined) throw new RangeError(`code ${code} is not in the catalogue: register it as an own code`);
      return entry;
    });
}
