import { type Catalogue, createCatalogue } from '../catalogue/catalogue.ts';
import type { Entry } from '../catalogue/entry.ts';
import { neutral } from '../dialect/neutral.ts';
import type { ReportSettings } from '../problem/describe.ts';

/** What the documented app answers with; the result of `createPlatformErrors` has both members. */
export interface OpenApiOptions {
  /** Default: the built-in one. */
  readonly catalogue?: Catalogue;
  /** Default: the neutral dialect at `https://packhouse.example`, as that of `createPlatformErrors`. */
  readonly settings?: ReportSettings;
}

export const defaultSettings: ReportSettings = { dialect: neutral, docsBase: 'https://packhouse.example' };

/** Built at the first use, so that importing it costs nothing. */
let builtIn: Catalogue | undefined;

/**
 * The entries of codes, each once, in the order of codes.
 *
 * @throws RangeError naming a code that the catalogue does not have.
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
