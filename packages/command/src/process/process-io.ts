import { writeSync } from 'node:fs';
import type { Io } from '../output/io.ts';
import { patientWriter, writeStream } from '../output/patient-writer.ts';

/** On Deno, writing to a full pipe throws; other runtimes wait. */
const isDeno = 'Deno' in globalThis;

const signals = ['SIGTERM', 'SIGINT'] as const;

const writerOf = (stream: NodeJS.WriteStream, fd: 1 | 2): ((text: string) => void) =>
  isDeno ? patientWriter((bytes) => writeSync(fd, bytes)) : (text) => void stream.write(text);

/** Asks on the terminal, which lets the user edit the line. Ctrl-C ends the process. */
async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  for await (const line of process.stdin) return String(line);
  process.stderr.write('\n');
  return '';
}

/** Returns the environment of a command that runs in this process. */
export function processIo({ program, cwd }: Pick<Io, 'program' | 'cwd'>): Io {
  // A reader may close the pipe early (`| head`); that is not an error.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  /** Available on POSIX systems only, and not on Deno. */
  const replaceProcess =
    process.execve === undefined
      ? undefined
      : (file: string, args: readonly string[]) => process.execve?.(file, [file, ...args], process.env);
  const { columns = process.stderr.columns } = process.stdout;
  return {
    out: writerOf(process.stdout, 1),
    outBytes: (bytes) => writeStream(bytes, (piece) => writeSync(1, piece)),
    err: writerOf(process.stderr, 2),
    outIsTerminal: process.stdout.isTTY,
    errIsTerminal: process.stderr.isTTY,
    // Some terminals report a width of 0.
    ...(columns ? { columns } : {}),
    ...(process.stdin.isTTY && process.stderr.isTTY ? { ask } : {}),
    env: process.env,
    cwd,
    program,
    fetch: async (request) => await fetch(request),
    ...(replaceProcess === undefined ? {} : { replaceProcess }),
    onSignal(listener) {
      for (const signal of signals) process.on(signal, listener);
      return () => {
        for (const signal of signals) process.off(signal, listener);
      };
    },
  };
}
