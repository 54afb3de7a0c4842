import { fromByteText, toByteText } from '../bytes/byte-text.ts';
import { encodeUtf8 } from '../bytes/utf8.ts';
import { commitHeader } from '../content/commit-record.ts';
import { parseIdent } from '../content/ident.ts';
import { decodeLabelled } from '../content/text-encoding.ts';
import type { ObjectId } from '../object/object-id.ts';
import { formatDate, type DateForm } from './commit-dates.ts';
import { encoderOf } from './encode-text.ts';

/** A commit as placeholders show it. Texts are byte texts. */
export interface FormattedCommit {
  readonly hash: ObjectId;
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
  readonly author: FormattedPerson;
  readonly committer: FormattedPerson;
  /** Value of its header `encoding`; empty without one. */
  readonly encoding: string;
  readonly message: string;
  /** Number of digits of an abbreviated id. */
  readonly abbreviation: number;
  /** Names of the refs that point to it, in Git's order, as `%D` shows them. Asked for at most once. */
  readonly refNames: () => Promise<readonly string[]>;
}

interface FormattedPerson {
  readonly name: string;
  readonly email: string;
  readonly time: number;
  /** The time as the commit has it. */
  readonly digits: string;
  /** Empty without a whole date. */
  readonly zone: string;
}

/** Reads the texts of a commit, in UTF-8 if its encoding is known. */
export function commitTexts(body: Uint8Array): Pick<FormattedCommit, 'author' | 'committer' | 'encoding' | 'message'> {
  const { label } = commitHeader(body);
  const decoded = decodeLabelled(body, label);
  const { author, committer, message } = commitHeader(decoded === undefined ? body : encodeUtf8(decoded));
  const nul = message.indexOf(0);
  return {
    author: personOf(author),
    committer: personOf(committer),
    encoding: label ?? '',
    message: toByteText(message, 0, nul < 0 ? message.length : nul),
  };
}

function personOf(line: Uint8Array): FormattedPerson {
  const { time, ...texts } = parseIdent(line);
  const [name, email, digits, zone] = [texts.name, texts.email, texts.digits, texts.zone].map((text) =>
    toByteText(text),
  ) as [string, string, string, string];
  return { name, email, time, digits, zone };
}

/** Placeholders without their `%` and what may come before their name: `+`, `-` or a space. */
const names = '[ac][nelditsDI]|C(?:red|green|blue|reset|\\((?!always,)[^)]{0,99}\\))|[HhTtPpeDdsfbBmn]|x[\\da-fA-F]{2}';
/** Placeholders that Git knows, and the service does not. */
const others = '[ac][NELhr]|C\\(|[NGgSw(<>]';
const placeholder = new RegExp(`%(?:(%)|([-+ ]?)(${names})|([-+ ])(?!${others}))`, 'g');
/** Placeholders for which Git reads the texts of a commit: also those that it does not know. */
const ofTexts = /^[acesfbB]/;
const unknown = /%[^HhTtPpmdDgNCnxSw<>]/;

/** Result of a format. */
export interface Formatted {
  /** Bytes that it added. It may have dropped more. */
  readonly length: number;
  /** True if Git reads the texts of the commit for it. */
  readonly readsTexts: boolean;
}

/** Writes one commit in formats of `git log`. */
export class CommitFormatter {
  readonly #commit: FormattedCommit;
  /** By placeholder. */
  readonly #values = new Map<string, string | undefined>();
  #refNames: readonly string[] | undefined;

  constructor(commit: FormattedCommit) {
    this.#commit = commit;
  }

  /**
   * Adds the commit in a format to `parts` of a byte text; undefined if it has more than `lengthMax` bytes. Placeholders
   * that the service does not know stay as they are, like all that Git itself does not know. One with a minus drops
   * line feeds before it, also those that `parts` had.
   */
  async format(format: string, lengthMax: number, parts: string[]): Promise<Formatted | undefined> {
    if (/%[-+ ]?[dD]/.test(format)) this.#refNames ??= await this.#commit.refNames();
    let [at, length] = [0, 0];
    let readsTexts = false;
    for (const { 0: whole, 1: percent, 2: before = '', 3: name = '', 4: alone, index } of format.matchAll(
      placeholder,
    )) {
      const shown = percent ?? (alone === undefined ? this.#shown(whole, before, name) : '');
      const between = format.slice(at, index);
      parts.push(between, shown);
      readsTexts ||= alone !== undefined || ofTexts.test(name) || unknown.test(between);
      length += between.length + shown.length;
      at = index + whole.length;
      if (length > lengthMax) return undefined;
      if (shown === '' && (alone ?? before) === '-') length -= dropLineEnds(parts);
    }
    const rest = format.slice(at);
    parts.push(rest);
    readsTexts ||= unknown.test(rest);
    length += rest.length;
    return length > lengthMax ? undefined : { length, readsTexts };
  }

  #shown(whole: string, before: string, name: string): string {
    if (!this.#values.has(name)) this.#values.set(name, valueOf(this.#commit, name, this.#refNames ?? []));
    const value = this.#values.get(name);
    if (value === undefined) return whole;
    return value === '' || before === '-' ? value : `${before === '+' ? '\n' : before}${value}`;
  }

  /** Encodes a text as the commit is. One that the encoding lacks characters for stays in UTF-8. */
  encode(text: string): string {
    const encoded = encoderOf(this.#commit.encoding)?.(fromByteText(text));
    return encoded === undefined ? text : toByteText(encoded);
  }
}

/** Drops line feeds from the end of a text in parts. Returns their number. */
function dropLineEnds(parts: string[]): number {
  let dropped = 0;
  for (let last = parts.pop(); last !== undefined; last = parts.pop()) {
    const kept = withoutLast(last, '\n');
    dropped += last.length - kept.length;
    if (kept === '') continue;
    parts.push(kept);
    break;
  }
  return dropped;
}

function valueOf(commit: FormattedCommit, name: string, refNames: readonly string[]): string | undefined {
  const { message, parents } = commit;
  const short = (id: ObjectId): string => id.slice(0, commit.abbreviation);
  switch (name) {
    case 'H':
      return commit.hash;
    case 'h':
      return short(commit.hash);
    case 'T':
      return commit.tree;
    case 't':
      return short(commit.tree);
    case 'P':
      return parents.join(' ');
    case 'p':
      return parents.map(short).join(' ');
    case 'e':
      return commit.encoding;
    case 'D':
      return refNames.join(', ');
    case 'd':
      return refNames.length === 0 ? '' : ` (${refNames.join(', ')})`;
    case 's':
      return splitMessage(message).subject.join(' ');
    case 'f':
      return fileNameOf(splitMessage(message).subject[0] ?? '');
    case 'b':
      return splitMessage(message).body;
    case 'B':
      return message;
    case 'm':
      return '>';
    case 'n':
      return '\n';
    default:
      if (name.startsWith('x')) return String.fromCharCode(Number.parseInt(name.slice(1), 16));
      // Nothing is coloured.
      if (name.startsWith('C')) return '';
      return personValue(name.startsWith('a') ? commit.author : commit.committer, name.slice(1));
  }
}

function personValue({ name, email, time, digits, zone }: FormattedPerson, part: string): string | undefined {
  if (part === 'n') return name;
  if (part === 'e') return email;
  if (part === 'l') return email.split('@')[0];
  // Git leaves out some dates that a commit does not have, and leaves the placeholders of others.
  if (zone === '') return part === 's' || part === 'I' ? undefined : '';
  return part === 't' ? digits : formatDate(time, zone, part as DateForm);
}

const blankLine = /^[ \t\r]*$/;

/** Splits a message into the lines of its first paragraph and what follows that. */
function splitMessage(message: string): { readonly subject: readonly string[]; readonly body: string } {
  const start = /^(?:[ \t\r]*\n)*/.exec(message)?.[0].length ?? 0;
  const subject: string[] = [];
  let at = start;
  while (at < message.length) {
    const found = message.indexOf('\n', at);
    const end = found < 0 ? message.length : found;
    const line = message.slice(at, end);
    at = Math.min(end + 1, message.length);
    if (blankLine.test(line)) break;
    subject.push(withoutLast(line, ' \t\r'));
  }
  const body = message.slice(at);
  return { subject, body: body.slice(/^(?:[ \t\r]*\n)*/.exec(body)?.[0].length ?? 0) };
}

/** Makes a file name of a subject: other characters than letters, digits, `.` and `_` become one hyphen. */
function fileNameOf(subject: string): string {
  const name = subject.replaceAll(/[^\w.]+/g, '-').replaceAll(/\.+/g, '.');
  return withoutLast(name.startsWith('-') ? name.slice(1) : name, '-.');
}

/** Cuts off the last characters of a text that are among `characters`: a regular expression may take quadratic time. */
function withoutLast(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] as string)) end--;
  return text.slice(0, end);
}
