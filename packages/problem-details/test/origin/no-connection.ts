import { spawn } from 'node:child_process';
import { connect } from 'node:net';

/** Number of connections that a listener accepts before its queue is full (Linux: its backlog plus one). */
const capacity = 2;

/** Blocks for a minute and exits, so that it does not outlive its test for long. */
const listener = `const server = require('node:net').createServer();
server.listen({ port: 0, host: '127.0.0.1', backlog: ${capacity - 1} }, () => {
  require('node:fs').writeSync(1, String(server.address().port));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
  process.exit();
});`;

/** An origin without connections: its queue is full, and its process sleeps. */
export interface NoConnection {
  readonly url: string;
  close(): void;
}

/** Works on Linux, which drops connection requests when the queue is full. */
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
