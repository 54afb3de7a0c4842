/** Bytes of lists that may travel in one message, of which 32 MiB are allowed. */
const messageMax = 16 * 1_048_576;

/** Bytes of an item in a message, beside its name if it has one: ids, names of members, and room to be wrong. */
const itemSize = 400;

/** Bytes of a line, about: what is waited for at the other end, and held twice. */
const lineSize = 262_144;

/** Lists by their names. */
export type Lists<Items> = { readonly [Name in keyof Items]: readonly Items[Name][] };

/** Lists on their way, all of one state. Those too long for one message come as a stream beside it. */
export interface SentLists<Items> {
  readonly lists: Lists<Items>;
  /** JSON texts of parts of the lists, a line each: name and items. Then `lists` are empty. */
  readonly lines?: ReadableStream<Uint8Array>;
}

export interface SendOptions {
  /** Bytes of lists that may travel in one message. Default: half of what is allowed. */
  readonly max?: number | undefined;
  /** Bytes of an item in a message, at most. Default: 400 and what the member `name` takes, if it has one. */
  readonly sizeOf?: (item: unknown) => number;
}

/** Makes lists ready to travel. Their items are plain values that JSON can say. */
export function sendLists<Items>(
  lists: Lists<Items>,
  { max = messageMax, sizeOf = namedSizeOf }: SendOptions = {},
): SentLists<Items> {
  if (sizeOfAll(lists, sizeOf) <= max) return { lists };
  const none = Object.fromEntries(Object.keys(lists).map((name) => [name, []]));
  return { lists: none as unknown as Lists<Items>, lines: streamOf(partsOf(lists, sizeOf)) };
}

/** The lists at the other end. */
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

/** One state, however long the reader takes: the lists were read before. */
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
  // In pieces, lest a long line is copied again with each chunk.
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
