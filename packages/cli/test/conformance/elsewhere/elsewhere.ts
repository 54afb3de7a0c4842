/** A requirement, or a part of one, that no case of the suite checks, and a test that does. */
export interface Elsewhere {
  readonly id: string;
  readonly why: string;
  /** The file whose test names the requirement in its title. */
  readonly file: string;
  /** True if cases check the other part. Default: false. */
  readonly inPart?: boolean;
}

/** A document of the specification, with what is shown elsewhere. */
export interface CoveredDocument {
  /** Its path, such as `docs/specification/binding.md`. */
  readonly document: string;
  /** The prefixes of its ids. */
  readonly areas: readonly string[];
  /** The number of its rows, so that none is overlooked. */
  readonly count: number;
  readonly elsewhere: readonly Elsewhere[];
}
