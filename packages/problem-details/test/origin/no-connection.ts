import { spawn } from 'node:child_process';
import { connect } from 'node:net';

/** A listener that accepts at most this many connections (Linux: one more than its backlog) before its queue is full. */
const capacity = 2;

/** It sleeps for a minute in which nothing runs, and ends: so it outlives no test for long. */
const listener = `const server = require('node:net').createServer();
server.listen({ port: 0, host: '127.0.0.1', backlog: ${capacity - 1} }, () => {
  require('node:fs').writeSync(1, String(server.address().port));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
  process.exit();
});`;

/** An origin that nobody comes to be connected with: its queue is full, and its process asleep. */
export interface NoConnection {
  readonly url: string;
  close(): void;
}

/** Works on Linux, which drops what asks for a connection beyond the queue. */
export async function startNoConnection(): Promise<NoConnection> {
  const child = spawn(process.execPath, ['-e', listener], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.once('data', (text: Buffer) => resolve(Number(text.toString())));
    child.once('exit', () => reject(new Error('the listener has ended')));
  });
  const sockets = Array.from({ length: capacity * 4 }, () => connect(port, '127.0.0.1'));
  let connected = 0;
  await new Promise<void>((resolve) => {
    for (const socket of sockets) {
      socket.on('error', () => undefined);
      socket.on('connect', () => {
        connected++;
        if (connected === capacity) resolve();
      });
    }
  });
  return {
    url: `http://127.0.0.1:${port}/`,
    close() {
      for (const socket of sockets) socket.destroy();
      child.kill('SIGKILL');
    },
  };
}
