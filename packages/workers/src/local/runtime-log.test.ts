import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { readRuntimeLog, type LocalLogLine } from './runtime-log.ts';

async function read(output: readonly string[], errors: readonly string[]): Promise<readonly LocalLogLine[]> {
  const lines: LocalLogLine[] = [];
  const streams = [output, errors].map((texts) => Readable.from(texts.map((text) => `${text}\n`)));
  readRuntimeLog(streams[0] as Readable, streams[1] as Readable, (line) => lines.push(line));
  await Promise.all(streams.map((stream) => new Promise((resolve) => stream.on('close', resolve))));
  return lines;
}

it('passes on lines of the Worker, and what the runtime says without paths', async () => {
  const [own, said, failed] = await read(
    ['{"event":"request","status":200}', 'hello'],
    ['stack: 1 2 3', 'kj/a.c++:1: failed: disconnected: gone', '/srv/x/server.c++:9: failed: out of files'],
  );
  expect(own).toEqual({ event: 'request', status: 200 });
  expect(said).toMatchObject({ level: 'info', event: 'runtime', message: 'hello' });
  expect(failed).toMatchObject({ level: 'error', event: 'runtime', message: '<path>:9: failed: out of files' });
});

it.each([
  ['a Host that is none', 'error: Uncaught exception: failed: invalid hostname when stringifying URL; host = <b>'],
  ['a target that is no path', 'failed: expected tryParse(url, context, options) != nullptr; invalid URL; url = x'],
])('takes %s for no failure of the service', async (_what, text) => {
  expect(await read([], [text])).toMatchObject([{ level: 'info', event: 'runtime', message: text }]);
});
