/** Bytes of lists in one message. The platform allows 32 MiB. */
const messageMax = 16 * 1_048_576;

/** Bytes of an item in a message, without its `name`: ids, names of members, and a safety margin. */
const itemSize = 400;

/** Approximate bytes of a line. The receiver waits for a whole line, and holds it twice. */
const lineSize = 262_144;

/** Lists by name. */
export type Lists<Items> = { readonly [Name in keyof Items]: readonly Items[Name][] };

/** Lists as a message, all of one state. Lists too long for one message are sent as a stream instead. */
export interface SentLists<Items> {
  readonly lists: Lists<Items>;
  /** Parts of the lists, one per line, as JSON of name and items. The members of `lists` are empty then. */
  readonly lines?: ReadableStream<Uint8Array>;
}

export interface SendOptions {
  /** Maximum bytes of lists in one message. Default: 16 MiB. */
  readonly max?: number | undefined;
  /** Returns the maximum bytes of an item in a message. Default: 400 plus two for each code unit of its `name`. */
  readonly sizeOf?: (item: unknown) => number;
}

/** Converts lists to a message. Their items must be values that JSON can express. */
export function sendLists<Items>(
  lists: Lists<Items>,
  { max = messageMax, sizeOf = namedSizeOf }: SendOptions = {},
): SentLists<Items> {
  if (sizeOfAll(lists, sizeOf) <= max) return { lists };
  const none = Object.fromEntries(Object.keys(lists).map((name) => [name, []]));
  return { lists: none as unknown as Lists<Items>, lines: streamOf(partsOf(lists, sizeOf)) };
}

/** Restores lists from a message. */
export async function receiveLists<Items>({ lists, lines }: SentLists<Items>): Promise<Lists<Items>> {
  if (lines === undefined) return lists;
  const received = Object.fromEntries(Object.keys(lists).map((name) => [name, [] as unknown[]]));
  for await (const line of linesOf(lines)) {
    const [name, items] = JSON.parse(line) as Part;
    for (const item of items) received[name]?.push(item);
  }
  return received as unknown as Lists<Items>;
}

type Part = readonly [name: string, items: readonly unknown[]];

function sizeOfAll<Items>(lists: Lists<Items>, sizeOf: (item: unknown) => number): number {
  let size = 0;
  for (const items of Object.values(lists) as (readonly unknown[])[]) {
    for (const item of items) size += sizeOf(item);
  }
  return size;
}

function namedSizeOf(item: unknown): number {
  const name = typeof item === 'object' && item !== null && 'name' in item ? item.name : '';
  return itemSize + (typeof name === 'string' ? 2 * name.length : 0);
}

function* partsOf<Items>(
  lists: Lists<Items>,
  sizeOf: (item: unknown) => number,
): Generator<Part, undefined, undefined> {
  for (const [name, items] of Object.entries(lists) as [string, readonly unknown[]][]) {
    let part: unknown[] = [];
    let size = 0;
    for (const item of items) {
      part.push(item);
      size += sizeOf(item);
      if (size < lineSize) continue;
      yield [name, part];
      [part, size] = [[], 0];
    }
    if (part.length > 0) yield [name, part];
  }
}

/** Streams the parts. They are all of one state even for a slow reader, because the lists were read before. */
function streamOf(parts: Generator<Part, undefined, undefined>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const { value } = parts.next();
      if (value === undefined) controller.close();
      else controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
    },
  });
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  // Collects pieces, because joining at each chunk would copy a long line again and again.
  let line: string[] = [];
  for await (const chunk of stream) {
    const [end = '', ...texts] = decoder.decode(chunk, { stream: true }).split('\n');
    line.push(end);
    for (const text of texts) {
      yield line.join('');
      line = [text];
    }
  }
}
