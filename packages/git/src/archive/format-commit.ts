import { toByteText } from '../bytes/byte-text.ts';
import { encodeUtf8 } from '../bytes/utf8.ts';
import { commitHeader } from '../content/commit-record.ts';
import { parseIdent } from '../content/ident.ts';
import { decodeLabelled } from '../content/text-encoding.ts';
import type { ObjectId } from '../object/object-id.ts';
import { formatDate, type DateForm } from './commit-dates.ts';

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
  const { name, email, time, zone } = parseIdent(line);
  return { name: toByteText(name), email: toByteText(email), time, zone: toByteText(zone) };
}

/** A placeholder without its `%`: with `+` or a space, which comes before it unless it is empty. */
const placeholder =
  /%(?:(%|n|x[\da-fA-F]{2})|([+ ]?)([ac][nelditsDI]|C(?:red|green|blue|reset|\((?!always,)[^)]{0,99}\))|[HhTtPpeDdsfbBm]))/g;

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
   * Returns the commit in a format, as a byte text; undefined if it is longer than `lengthMax`. Placeholders that the
   * service does not know stay as they are, like all that Git itself does not know.
   */
  async format(format: string, lengthMax: number): Promise<string | undefined> {
    if (/%[+ ]?[dD]/.test(format)) this.#refNames ??= await this.#commit.refNames();
    let text = '';
    let at = 0;
    for (const { 0: whole, 1: simple, 2: before = '', 3: name = '', index } of format.matchAll(placeholder)) {
      text += format.slice(at, index) + (simple === undefined ? this.#shown(whole, before, name) : characterOf(simple));
      at = index + whole.length;
      if (text.length > lengthMax) return undefined;
    }
    text += format.slice(at);
    return text.length > lengthMax ? undefined : text;
  }

  #shown(whole: string, before: string, name: string): string {
    if (!this.#values.has(name)) this.#values.set(name, valueOf(this.#commit, name, this.#refNames ?? []));
    const value = this.#values.get(name);
    if (value === undefined) return whole;
    return value === '' ? '' : `${before === '+' ? '\n' : before}${value}`;
  }
}

/** Returns what `%%`, `%n` or `%x00` stands for. */
function characterOf(name: string): string {
  if (name === '%') return '%';
  return name === 'n' ? '\n' : String.fromCharCode(Number.parseInt(name.slice(1), 16));
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
    default:
      // Nothing is coloured.
      if (name.startsWith('C')) return '';
      return personValue(name.startsWith('a') ? commit.author : commit.committer, name.slice(1));
  }
}

function personValue({ name, email, time, zone }: FormattedPerson, part: string): string | undefined {
  if (part === 'n') return name;
  if (part === 'e') return email;
  if (part === 'l') return email.split('@')[0];
  // Git leaves out some dates that a commit does not have, and leaves the placeholders of others.
  if (zone === '') return part === 's' || part === 'I' ? undefined : '';
  return formatDate(time, zone, part as DateForm);
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
