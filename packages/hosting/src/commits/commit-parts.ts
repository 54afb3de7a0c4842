import { fieldError, fieldErrors, HostingError, type RawFields } from '@packhouse/base';
import { JsonReader } from './json-reader.ts';
import type { SentContent } from './sent-content.ts';

/** A body of JSON that arrives. */
export class JsonBody {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Its number of bytes, if the client said it. */
  readonly size: number | undefined;

  /** @param chunks throws for a body that is too large or breaks off. */
  constructor(chunks: AsyncIterable<Uint8Array>, size: number | undefined) {
    this.chunks = chunks;
    this.size = size;
  }
}

/** A part of the body of a commit. The list of changes is a part before its items. */
export type CommitPart =
  | { readonly kind: 'member'; readonly name: string; readonly value: unknown }
  | { readonly kind: 'changes' }
  /** An item of the list. A text in `content` is a {@link SentContent}. */
  | { readonly kind: 'change'; readonly value: unknown };

export interface PartOptions {
  /** Makes a content to be filled. */
  readonly newContent: () => SentContent;
  /** Receives the characters of JSON that are held, besides contents, as they arrive. It may throw. */
  readonly count: (characters: number) => void;
  /** Called for each member that is held: of the body, or of a change. It may throw. */
  readonly countMember: () => void;
}

/**
 * Yields the parts of a body in the order of its members. A content is valid until the next part.
 *
 * @throws {HostingError} for malformed JSON, and for a member that is there twice: the first of them may be stored.
 */
export function commitParts(
  body: RawFields | JsonBody,
  options: PartOptions,
): AsyncIterable<CommitPart> | Iterable<CommitPart> {
  return body instanceof JsonBody ? partsOfJson(body, options) : partsOfObject(body, options);
}

async function* partsOfJson({ chunks }: JsonBody, options: PartOptions): AsyncGenerator<CommitPart, void, undefined> {
  const json = new JsonReader(chunks, options.count);
  try {
    if ((await json.peek()) !== '{') throw new HostingError('malformedJson');
    for await (const name of differentMembers(json, '', options)) {
      if (name !== 'changes' || (await json.peek()) !== '[') {
        yield { kind: 'member', name, value: await json.value() };
        continue;
      }
      yield { kind: 'changes' };
      let number = 0;
      for await (const _ of json.items()) yield { kind: 'change', value: await jsonChange(json, number++, options) };
    }
    await json.end();
  } finally {
    await json.close();
  }
}

async function jsonChange(json: JsonReader, number: number, options: PartOptions): Promise<unknown> {
  if ((await json.peek()) !== '{') return json.value();
  const members: [string, unknown][] = [];
  for await (const name of differentMembers(json, `changes/${number}/`, options)) {
    if (name !== 'content' || (await json.peek()) !== '"') members.push([name, await json.value()]);
    else {
      const content = options.newContent();
      for await (const piece of json.text()) content.append(piece);
      members.push([name, content]);
    }
  }
  return Object.fromEntries(members);
}

async function* differentMembers(
  json: JsonReader,
  prefix: string,
  { countMember }: PartOptions,
): AsyncGenerator<string, void, undefined> {
  const names = new Set<string>();
  for await (const name of json.members()) {
    if (names.has(name)) {
      throw fieldErrors([fieldError('invalidInput', `${prefix}${name}`, 'Invalid input: the member is there twice')]);
    }
    names.add(name);
    countMember();
    yield name;
  }
}

function* partsOfObject(body: RawFields, { newContent }: PartOptions): Generator<CommitPart, void, undefined> {
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    if (name !== 'changes' || !Array.isArray(value)) {
      yield { kind: 'member', name, value };
      continue;
    }
    yield { kind: 'changes' };
    for (const item of value as readonly unknown[]) {
      const text = typeof item === 'object' && item !== null && 'content' in item ? item.content : undefined;
      if (typeof text !== 'string') yield { kind: 'change', value: item };
      else {
        const content = newContent();
        content.append(text);
        yield { kind: 'change', value: { ...(item as object), content } };
      }
    }
  }
}
