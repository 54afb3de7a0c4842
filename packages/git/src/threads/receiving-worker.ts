import { parentPort } from 'node:worker_threads';
import { nodeCodec } from '../codec/node.ts';
import { collectShare } from '../graph/make/collect-share.ts';
import { PackError } from '../pack/pack-error.ts';
import { PackHelper } from '../pack/receive/pack-helper.ts';
import { FileSource } from './file-source.ts';
import type { ThreadJob, ThreadMessage } from './worker-thread.ts';

/** Thread of `nodeReceivingThreads`: does its share of one pack. */

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
