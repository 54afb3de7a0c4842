import { HostingError } from '@packhouse/base';

const space = /[ \t\n\r]*/y;
const primitive = /[^\s,:"[\]{}]*/y;
/** Ends of a run of plain characters, inside of a string and outside. */
const inString = /["\\]/g;
const outside = /["[\]{}]/g;

/**
 * Reads JSON that arrives in chunks, value by value, so that the caller decides what is held. It finds where values end,
 * and `JSON.parse` judges them: what it accepts, and makes of it, is that of `JSON.parse` for the whole text.
 *
 * Every method throws a {@link HostingError} `malformedJson` for other bytes, and passes on errors of `chunks`.
 */
export class JsonReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #count: (characters: number) => void;
  /** Refuses malformed bytes, and skips a byte order mark, as for other bodies. */
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #isEnded = false;
  #text = '';
  #at = 0;

  /** @param count receives the characters that are held for a value, as they arrive. It may throw. */
  constructor(chunks: AsyncIterable<Uint8Array>, count: (characters: number) => void) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#count = count;
  }

  /** Returns the first character of what comes next, without reading it. Empty at the end. */
  async peek(): Promise<string> {
    for (;;) {
      space.lastIndex = this.#at;
      this.#at += space.exec(this.#text)?.[0].length ?? 0;
      if (this.#at < this.#text.length) return this.#text.charAt(this.#at);
      if (!(await this.#more())) return '';
    }
  }

  /** Yields the name of each member of an object. The caller reads the value before the next one. */
  async *members(): AsyncGenerator<string, void, undefined> {
    await this.#take('{');
    if (await this.#skip('}')) return;
    do {
      if ((await this.peek()) !== '"') throw malformed();
      const name = (await this.value()) as string;
      await this.#take(':');
      yield name;
    } while (await this.#skip(','));
    await this.#take('}');
  }

  /** Yields before each item of an array. The caller reads the item before the next one. */
  async *items(): AsyncGenerator<void, void, undefined> {
    await this.#take('[');
    if (await this.#skip(']')) return;
    do yield;
    while (await this.#skip(','));
    await this.#take(']');
  }

  /** Reads a whole value. */
  async value(): Promise<unknown> {
    const first = await this.peek();
    const text = first === '"' || first === '{' || first === '[' ? await this.#nested() : await this.#primitive();
    return parsed(text);
  }

  /** Yields the text of a string in pieces, which split no pair of surrogates. */
  async *text(): AsyncGenerator<string, void, undefined> {
    await this.#take('"');
    /** The first half of a pair whose second half may follow. */
    let half = '';
    for (;;) {
      const { end, isClosed } = this.#stringRun();
      const piece = half + (parsed(`"${this.#text.slice(this.#at, end)}"`) as string);
      half = !isClosed && isHighSurrogate(piece.charCodeAt(piece.length - 1)) ? piece.slice(-1) : '';
      this.#at = end;
      if (piece.length > half.length) yield half === '' ? piece : piece.slice(0, -1);
      if (isClosed) {
        this.#at += 1;
        return;
      }
      if (!(await this.#more())) throw malformed();
    }
  }

  /** Reads to the end, where only white space may be left. */
  async end(): Promise<void> {
    if ((await this.peek()) !== '') throw malformed();
  }

  /** Ends the chunks, if they have not. Idempotent. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  /** Finds the end of whole escapes and plain characters of a string, and whether its quote follows. */
  #stringRun(): { readonly end: number; readonly isClosed: boolean } {
    let at = this.#at;
    for (;;) {
      inString.lastIndex = at;
      const stop = inString.exec(this.#text)?.index;
      if (stop === undefined) return { end: this.#text.length, isClosed: false };
      if (this.#text[stop] === '"') return { end: stop, isClosed: true };
      at = stop + (this.#text[stop + 1] === 'u' ? 6 : 2);
      if (at > this.#text.length) return { end: stop, isClosed: false };
    }
  }

  /** Returns the text of a string, object or array. */
  async #nested(): Promise<string> {
    let text = '';
    let depth = 0;
    let isString = false;
    let isEscaped = false;
    for (;;) {
      let at: number = this.#at + (isEscaped ? 1 : 0);
      let isWhole = false;
      while (!isWhole) {
        const stops = isString ? inString : outside;
        stops.lastIndex = at;
        const stop: number | undefined = stops.exec(this.#text)?.index;
        if (stop === undefined) break;
        at = stop + 1;
        const character = this.#text[stop] as string;
        if (character === '"') isString = !isString;
        else if (character === '\\') at += 1;
        else depth += character === '{' || character === '[' ? 1 : -1;
        isWhole = depth === 0 && !isString;
      }
      // The rest of an escape is in the next chunk.
      isEscaped = at > this.#text.length;
      text += this.#read(isWhole ? at : this.#text.length);
      if (isWhole) return text;
      if (!(await this.#more())) throw malformed();
    }
  }

  /** Returns the text of a number or a word. */
  async #primitive(): Promise<string> {
    let text = '';
    do {
      primitive.lastIndex = this.#at;
      text += this.#read(this.#at + (primitive.exec(this.#text)?.[0].length ?? 0));
    } while (this.#at === this.#text.length && (await this.#more()));
    return text;
  }

  /** Reads up to a place in the text that is there. */
  #read(end: number): string {
    this.#count(end - this.#at);
    const text = this.#text.slice(this.#at, end);
    this.#at = end;
    return text;
  }

  async #take(character: string): Promise<void> {
    if (!(await this.#skip(character))) throw malformed();
  }

  async #skip(character: string): Promise<boolean> {
    if ((await this.peek()) !== character) return false;
    this.#at += 1;
    return true;
  }

  /** Puts more text behind what is not read yet. Returns false at the end. */
  async #more(): Promise<boolean> {
    const rest = this.#text.slice(this.#at);
    this.#at = 0;
    for (this.#text = rest; this.#text.length === rest.length;) {
      if (this.#isEnded) return false;
      const { done, value } = await this.#chunks.next();
      this.#isEnded = done === true;
      try {
        this.#text += this.#decoder.decode(value ?? undefined, { stream: !this.#isEnded });
      } catch {
        throw malformed();
      }
    }
    return true;
  }
}

function malformed(): HostingError {
  return new HostingError('malformedJson');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Some runtimes also refuse a text that nests deeply.
    throw malformed();
  }
}

/** Tests for the first half of a pair of surrogates. */
export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
