import { isScalarText } from '@packhouse/tag-filter';
import { TaggingError } from '../model/tagging-error.ts';

/**
 * Parameters of a raw query but `tag`, decoded after it was split at `&` and each part at its first `=`; `+` is a
 * space. Names are case-sensitive, unknown ones ignored (TAG-013).
 */
export class Parameters<Name extends string> {
  readonly #values: ReadonlyMap<string, (string | undefined)[]>;

  /** `query` begins with `?` or is empty; `names`: those that count. */
  constructor(query: string, names: readonly Name[]) {
    const values = new Map<string, (string | undefined)[]>(names.map((name) => [name, []]));
    for (const part of query.replace(/^\?/, '').split('&')) {
      const [rawName = '', ...rest] = part.split('=');
      const name = decode(rawName);
      if (name !== undefined) values.get(name)?.push(decode(rest.join('=')));
    }
    this.#values = values;
  }

  /** The values of a parameter that may be repeated, in order. @throws {TaggingError} if one is unreadable (TAG-182). */
  all(name: Name): readonly string[] {
    return this.raw(name).map((value) => {
      if (value === undefined) throw invalidParameter(name);
      return value;
    });
  }

  /** The value of a parameter; `undefined` if there is none. @throws {TaggingError} as {@link all}, and if repeated. */
  one(name: Name): string | undefined {
    this.requireSingle(name);
    return this.all(name)[0];
  }

  /** @throws {TaggingError} if a parameter is repeated (TAG-166). */
  requireSingle(name: Name): void {
    if (this.raw(name).length > 1) throw invalidParameter(name);
  }

  /** As {@link all}, with `undefined` for each that is unreadable. */
  raw(name: Name): readonly (string | undefined)[] {
    return this.#values.get(name) ?? [];
  }
}

/** TAG-166. */
export function invalidParameter(name: string): TaggingError {
  return new TaggingError('parameter', { values: { name }, pointer: `/${name}` });
}

/** `undefined` for broken percent-encoding, bytes that are not UTF-8, and U+0000 (TAG-182). */
function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '));
    return isScalarText(decoded) ? decoded : undefined;
  } catch {
    return undefined;
  }
}
