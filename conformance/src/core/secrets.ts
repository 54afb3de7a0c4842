/** Shorter tokens are not removed: they would also match harmless text. */
const leastLength = 8;

const shown = '[token]';

/** Secrets that must never be printed. They are removed from every text that leaves the runner. */
export class Secrets {
  readonly #values = new Set<string>();

  /** Remembers a token. For a repo token this includes the part before `?expires=`, which is valid alone. */
  add(token: string | undefined): void {
    if (token === undefined) return;
    const secret = token.split('?')[0] as string;
    const digits = /[0-9a-f]{40}$/.exec(secret)?.[0];
    for (const value of [token, secret, digits]) {
      if (value !== undefined && value.length >= leastLength) this.#values.add(value);
    }
  }

  /**
   * Removes tokens from a text: the remembered ones, all with the form of a repo token or of a stored API token, and the text after `Basic` or
   * `Bearer`.
   */
  scrub(text: string): string {
    return this.#replace(text, () => shown);
  }

  /** Like {@link scrub}, but keeps the length of the text: lengths within a body stay true. */
  mask(text: string): string {
    return this.#replace(text, (secret) => shown.padEnd(secret.length, '*').slice(0, secret.length));
  }

  #replace(text: string, by: (secret: string) => string): string {
    const longestFirst = [...this.#values].sort((a, b) => b.length - a.length);
    let clean = text;
    for (const value of longestFirst) clean = clean.replaceAll(value, by);
    return clean
      .replaceAll(/\b(?:rha_v1_|rht_v1_|art_v2_x_)[0-9a-fA-F]{8,}(?:(?:\?|%3F)expires(?:=|%3D)\d+)?/g, by)
      .replaceAll(
        /\b((?:Basic|Bearer)\s+)((?!\[token\])[A-Za-z0-9+/=_.~?-]{8,})/gi,
        (_all, scheme: string, secret: string) => scheme + by(secret),
      );
  }
}
