import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { build } from 'esbuild';
import { Log, LogLevel, Miniflare } from 'miniflare';
import { readLines } from './output-lines.ts';
import type { RunningEntry } from './running-entry.ts';

/** Bundles an entry module as a Worker in one JavaScript module. */
async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { handle } from ${JSON.stringify(entry)}; export default { fetch: handle };`,
      resolveDir: dirname(entry),
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

/** Serves an entry module in workerd. Requests go directly to its socket. */
export async function startWorkerd(entry: string): Promise<RunningEntry> {
  const lines: string[] = [];
  const errors: string[] = [];
  const miniflare = new Miniflare({
    name: 'entry',
    modules: [{ type: 'ESModule', path: 'entry.mjs', contents: await bundle(entry) }],
    compatibilityDate: '2026-07-01',
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
    // Otherwise it fetches a sample of `request.cf` from the network.
    cf: false,
    telemetry: { enabled: false },
    logRequests: false,
    log: new Log(LogLevel.NONE),
    handleRuntimeStdio(output: Readable, failures: Readable) {
      readLines(output, (line) => lines.push(line));
      readLines(failures, (line) => errors.push(line));
    },
  });
  try {
    const url = await miniflare.unsafeGetDirectURL('entry');
    return { url: url.origin, lines: () => lines, errors: () => errors, close: () => miniflare.dispose() };
  } catch (cause) {
    await miniflare.dispose();
    throw new Error(`workerd did not serve ${entry}: ${errors.join('\n')}`, { cause });
  }
}
