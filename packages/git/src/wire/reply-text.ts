import { concatenate } from '../bytes/concatenate.ts';
import { encodeUtf8 } from '../bytes/utf8.ts';

/** Number of characters that are joined before they are encoded. */
const encodedAtOnce = 16 * 1024;

/**
 * The text of a reply, encoded piece by piece: hundreds of thousands of lines take several times their length as
 * strings.
 */
export class ReplyText {
  readonly #pieces: Uint8Array[] = [];
  #text = '';

  add(text: string): void {
    this.#text += text;
    if (this.#text.length >= encodedAtOnce) this.#encode();
  }

  toBytes(): Uint8Array {
    this.#encode();
    return concatenate(this.#pieces);
  }

  #encode(): void {
    this.#pieces.push(encodeUtf8(this.#text));
    this.#text = '';
  }
}
