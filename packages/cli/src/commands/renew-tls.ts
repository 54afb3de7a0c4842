import { readFileSync } from 'node:fs';
import type { Serving } from '@packhouse/server';

/** Milliseconds between two reads of the files. */
const period = 10_000;

/** A certificate and its key, as PEM or as the paths of the files. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

export interface RenewTlsOptions {
  /** Absolute paths of certificate and key. */
  readonly files: TlsPair;
  /** The pair in use. */
  readonly current: TlsPair;
  /** Uses another pair for new connections. Undefined if the runtime cannot. Throws if the pair cannot be used. */
  readonly renew: Serving['renewTls'];
  readonly log: (level: 'info' | 'warn', members: Readonly<Record<string, string>>) => void;
}

/**
 * Makes the server use the certificate and key in these files whenever their contents change (REPO-344). Reading them is
 * cheaper than it is sure to watch them: tools for certificates replace files, or the links to them. A pair that cannot
 * be used is logged once, and the one before stays in use: tools write one file after the other.
 *
 * @returns a function that ends it. The timer never keeps the process alive.
 */
export function renewTls({ files, current, renew, log }: RenewTlsOptions): () => void {
  let last = textOf(current);
  const look = (): void => {
    let found: TlsPair;
    try {
      found = { cert: readFileSync(files.cert, 'utf8'), key: readFileSync(files.key, 'utf8') };
    } catch {
      // Being replaced, or gone. The pair in use stays valid.
      return;
    }
    const text = textOf(found);
    if (text === last) return;
    last = text;
    if (renew === undefined) return log('warn', { warning: 'the certificate has changed: restart to use it' });
    try {
      renew(found);
      log('info', { certificate: 'renewed' });
    } catch {
      log('warn', { warning: 'the changed certificate and key cannot be used; the ones before stay in use' });
    }
  };
  const timer = setInterval(look, period);
  timer.unref();
  return () => clearInterval(timer);
}

function textOf({ cert, key }: TlsPair): string {
  return `${cert}\n${key}`;
}
