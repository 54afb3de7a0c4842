import { closeSync, openSync, readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { nodeCodec } from '../codec/node.ts';
import { collectShare } from '../graph/make/collect-share.ts';
import { PackError } from '../pack/pack-error.ts';
import { PackHelper } from '../pack/receive/pack-helper.ts';
import type { PackSource } from '../pack/read/pack-source.ts';
import type { ThreadJob, ThreadMessage } from './node.ts';

/** Thread of `nodeReceivingThreads`: does its share of one pack. */

/** Bytes that are read at once, since neighbours are likely to be next. */
const windowSize = 256 * 1024;

/** A pack file that this thread waits for. */
class FileSource implements PackSource {
  readonly #path: string;
  #file: number | undefined;
  readonly #window = new Uint8Array(windowSize);
  #start = 0;
  #end = 0;

  constructor(path: string) {
    this.#path = path;
  }

  peek(offset: number, length: number): Uint8Array {
    const file = (this.#file ??= openSync(this.#path, 'r'));
    if (length > windowSize) return readAt(file, new Uint8Array(length), offset, length);
    if (offset < this.#start || offset + length > this.#end) {
      this.#start = this.#end = offset;
      this.#end += readAt(file, this.#window, offset, length).length;
    }
    return this.#window.subarray(offset - this.#start, offset - this.#start + length);
  }

  async load(offset: number, length: number): Promise<Uint8Array> {
    return this.peek(offset, length);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

/** Fills as much of the buffer as the file has, but at least `least` bytes. */
function readAt(file: number, buffer: Uint8Array, offset: number, least: number): Uint8Array {
  let filled = 0;
  while (filled < least) {
    const read = readSync(file, buffer, filled, buffer.length - filled, offset + filled);
    if (read === 0) throw new Error('the pack file ends too early');
    filled += read;
  }
  return buffer.subarray(0, filled);
}

/** The one pack of this thread. */
let source: FileSource | undefined;
let helper: PackHelper | undefined;

async function resultOf(job: ThreadJob): Promise<unknown> {
  if ('lists' in job) return collectShare(job.lists, helper as PackHelper);
  source = new FileSource(job.deltas.file);
  helper = new PackHelper(job.deltas, nodeCodec(), source);
  return helper.resolve();
}

async function answer(job: ThreadJob): Promise<ThreadMessage> {
  try {
    return { result: await resultOf(job) };
  } catch (error) {
    if (error instanceof PackError) return { refusal: [error.reason, error.commandReason] };
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  } finally {
    source?.close();
  }
}

const port = parentPort;
port?.on('messageerror', (error) => port.postMessage({ failure: String(error) } satisfies ThreadMessage));
port?.on('message', async (job: ThreadJob) => port.postMessage(await answer(job)));
port?.postMessage('ready' satisfies ThreadMessage);
