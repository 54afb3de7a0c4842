/** Recorded exchanges of stock `git` with stock `git http-backend` (`exchanges/git/`), and sample repositories. */

import { readdirSync, readFileSync } from 'node:fs';

/**
 * The exchanges of one run of stock `git` with stock `git http-backend`. `schema/exchanges.schema.json` describes the
 * format.
 */
export interface Recording {
  /** The scenario, which is also the start of the file name. */
  readonly scenario: string;
  /** The value of `protocol.version`. */
  readonly version: 0 | 1 | 2;
  /** The command line of the client. */
  readonly command: readonly string[];
  /** The refs of the server at first, by name, and a pack of what they reach, in base64. */
  readonly before: { readonly refs: Readonly<Record<string, string>>; readonly pack: string };
  readonly exchanges: readonly Exchange[];
  /** The refs of the server at the end. */
  readonly after: Readonly<Record<string, string>>;
}

export interface Exchange {
  readonly request: Message & { readonly method: 'GET' | 'POST'; readonly target: string };
  readonly response: Message & { readonly status: number };
}

export interface Message {
  /** Names in lower case; only headers with a meaning to Git. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/**
 * A body in pieces: one per packet as long as there are packets, then the rest. Pieces that are not valid UTF-8 are `{
 * base64 }`. Compressed bodies are stored decoded.
 */
export type Body = readonly (string | { readonly base64: string })[];

/** The folder of the recordings. */
export const recordingsFolder: URL = new URL('../../exchanges/git/', import.meta.url);

/** Returns the bundle of a sample repository. */
export function bundleOf(sample: string): URL {
  return new URL(`../../repositories/${sample}.bundle`, import.meta.url);
}

/** Returns all recordings, sorted by name. */
export function readRecordings(): readonly Recording[] {
  const names = readdirSync(recordingsFolder).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => JSON.parse(readFileSync(new URL(name, recordingsFolder), 'utf8')) as Recording);
}

/** Returns the recording of a scenario. */
export function readRecording(scenario: string, version: Recording['version']): Recording {
  const file = new URL(`${scenario}-v${version}.json`, recordingsFolder);
  return JSON.parse(readFileSync(file, 'utf8')) as Recording;
}

/** Returns the bytes of a stored body. */
export function exchangeBody(body: Body): Uint8Array {
  return new Uint8Array(
    Buffer.concat(
      body.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece.base64, 'base64'))),
    ),
  );
}
