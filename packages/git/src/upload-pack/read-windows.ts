import type { RepositoryView } from '../repository/repository-view.ts';
import { packsFrom, packWindows, type PackWindow, type ReadPlan } from './pack-windows.ts';

/** Smaller buffers are not worth being kept apart. */
const bufferMin = 64 * 1024;

/** A window with its bytes, which are valid until the next one is asked for. */
export interface FilledWindow {
  readonly window: PackWindow;
  readonly bytes: Uint8Array;
}

interface Reading extends PackWindow {
  readonly bytes: Promise<Uint8Array>;
}

/** Reads the windows of a plan in order, some of them while one is worked on, into a few buffers that are used in turn. */
export async function* readWindows(
  view: RepositoryView,
  objects: Uint32Array,
  { windowMax, inFlight }: ReadPlan,
): AsyncGenerator<FilledWindow, void, undefined> {
  const buffers = new WindowBuffers();
  const underWay: Reading[] = [];
  let bytesUnderWay = 0;
  const finish = async function* (): AsyncGenerator<FilledWindow, void, undefined> {
    const { bytes: reading, ...window } = underWay.shift() as Reading;
    const bytes = await reading;
    yield { window, bytes };
    bytesUnderWay -= window.length;
    buffers.give(bytes);
  };
  for (const window of packWindows(view.set, objects, windowMax)) {
    while (
      underWay.length >= inFlight ||
      (underWay.length > 0 && bytesUnderWay + window.length > inFlight * windowMax)
    ) {
      yield* finish();
    }
    const bytes = read(view, objects, window, buffers);
    // A failure is met where the window is awaited; until then it must not count as unhandled.
    bytes.catch(() => {});
    underWay.push({ ...window, bytes });
    bytesUnderWay += window.length;
  }
  while (underWay.length > 0) yield* finish();
}

async function read(
  view: RepositoryView,
  objects: Uint32Array,
  { pack, last, start, length }: PackWindow,
  buffers: WindowBuffers,
): Promise<Uint8Array> {
  const rows = await view.readRows(pack, packsFrom(view.set, objects, last + 1));
  if (rows !== undefined) return rows.subarray(start, start + length);
  const buffer = buffers.take(length);
  let at = 0;
  for await (const chunk of view.repository.packs.stream(pack.record.id, start, start + length)) {
    buffer.set(chunk, at);
    at += chunk.length;
  }
  return buffer;
}

/** Buffers that windows are read into. */
class WindowBuffers {
  readonly #free: ArrayBufferLike[] = [];
  readonly #own = new Set<ArrayBufferLike>();

  take(length: number): Uint8Array {
    const fitting = this.#free.findIndex(({ byteLength }) => byteLength >= length);
    // One that is too small is let go for the one that is made.
    const [free] = this.#free.splice(Math.max(0, fitting), 1);
    if (free !== undefined && free.byteLength >= length) return new Uint8Array(free, 0, length);
    if (free !== undefined) this.#own.delete(free);
    const made = new ArrayBuffer(Math.max(bufferMin, 2 ** Math.ceil(Math.log2(length))));
    this.#own.add(made);
    return new Uint8Array(made, 0, length);
  }

  /** Takes back what lies in one of these buffers. */
  give({ buffer }: Uint8Array): void {
    if (this.#own.has(buffer)) this.#free.push(buffer);
  }
}
