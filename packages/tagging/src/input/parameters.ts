import { isScalarText } from '@packhouse/tag-filter';
import { TaggingError } from '../model/tagging-error.ts';

/**
 * Parameters of a raw query, except `tag`. Splits it at `&` and each part at its first `=`, then decodes; `+` is a
 * space. Names are case-sensitive, and unknown ones are ignored (TAG-013).
 */
export class Parameters<Name extends string> {
  readonly #values: ReadonlyMap<string, (string | undefined)[]>;

  /**
   * @param query begins with `?` or is empty.
   * @param names the known parameters.
   */
  constructor(query: string, names: readonly Name[]) {
    const values = new Map<string, (string | undefined)[]>(names.map((name) => [name, []]));
    for (const part of query.replace(/^\?/, '').split('&')) {
      const [rawName = '', ...rest] = part.split('=');
      const name = decode(rawName);
      if (name !== undefined) values.get(name)?.push(decode(rest.join('=')));
    }
    this.#values = values;
  }

  /** Returns the values of a repeatable parameter in order. @throws {TaggingError} if one is malformed (TAG-182). */
  all(name: Name): readonly string[] {
    return this.raw(name).map((value) => {
      if (value === undefined) throw invalidParameter(name);
      return value;
    });
  }

  /**
   * Returns the value of a parameter, or `undefined` without one. @throws {TaggingError} as {@link all}, and if
   * repeated.
   */
  one(name: Name): string | undefined {
    this.requireSingle(name);
    return this.all(name)[0];
  }

  /** @throws {TaggingError} if a parameter is repeated (TAG-166). */
  requireSingle(name: Name): void {
    if (this.raw(name).length > 1) throw invalidParameter(name);
  }

  /** Does the same as {@link all}, with `undefined` for each malformed value. */
  raw(name: Name): readonly (string | undefined)[] {
    return this.#values.get(name) ?? [];
  }
}

/** Makes the error for an invalid or repeated parameter (TAG-166). */
export function invalidParameter(name: string): TaggingError {
  return new TaggingError('parameter', { values: { name }, pointer: `/${name}` });
}

/** Decodes a value. Returns `undefined` for broken percent-encoding, bytes that are not UTF-8, and U+0000 (TAG-182). */
function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '));
    return isScalarText(decoded) ? decoded : undefined;
  } catch {
    return undefined;
  }
}
