import { startRelay, type RelayWatch } from '@packhouse/fixtures';

/** Counts of what went through a proxy since its start. */
export interface DatabaseCounts {
  /** Queries of the simple protocol, and executions of the extended one. */
  readonly statements: number;
  /** Times that a client sent something after a reply, or first. */
  readonly roundTrips: number;
}

/** A proxy in front of PostgreSQL that counts, and puts it as far away as told. */
export interface DatabaseProxy {
  readonly port: number;
  counts(): DatabaseCounts;
  close(): Promise<void>;
}

/** Starts a proxy. `delay` is the time that each reply takes longer, in milliseconds. */
export const startDatabaseProxy = async (database: number, delay = 0): Promise<DatabaseProxy> => {
  let [statements, roundTrips] = [0, 0];
  const watch = (): RelayWatch => {
    const count = statementCounter();
    let hasReplied = true;
    return {
      sent(chunk) {
        statements += count(chunk);
        if (hasReplied) roundTrips++;
        hasReplied = false;
      },
      replied() {
        hasReplied = true;
      },
    };
  };
  const { port, close } = await startRelay(database, { delay, watch });
  return { port, close, counts: () => ({ statements, roundTrips }) };
};

/** Returns a function that counts the statements in what one client sends, chunk by chunk. */
export const statementCounter = (): ((chunk: Buffer) => number) => {
  // The first message has no type before its length.
  let headSize = 4;
  let head = Buffer.alloc(0);
  let left = 0;
  return (chunk) => {
    let statements = 0;
    for (let at = 0; at < chunk.length;) {
      if (left > 0) {
        const skipped = Math.min(left, chunk.length - at);
        left -= skipped;
        at += skipped;
        continue;
      }
      const part = chunk.subarray(at, at + headSize - head.length);
      head = Buffer.concat([head, part]);
      at += part.length;
      if (head.length < headSize) break;
      left = head.readUInt32BE(headSize - 4) - 4;
      if (headSize === 5 && 'QE'.includes(String.fromCharCode(head[0] as number))) statements++;
      headSize = 5;
      head = Buffer.alloc(0);
    }
    return statements;
  };
};
