/**
 * Serves `git http-backend` over HTTP, with one process per request as in CGI. This web server does as little as
 * possible, so that Git is measured. Runs as a separate process: `node cgi-bridge.ts ROOT`. Sends `{ port }` to its
 * parent when it listens, and `{ peak }` (bytes, or null) for each message from it.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gitEnvironment } from '../internal/run-git.ts';
import { residentMemory } from './process-memory.ts';

const root = process.argv[2] ?? '.';
const backend = join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git-http-backend');
const environment = { ...gitEnvironment(), GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: '1' };

const header = (request: IncomingMessage, name: string): string => String(request.headers[name] ?? '');

/** Splits the output of a CGI program into its headers and the rest, and passes both on. */
const relay = (output: NodeJS.ReadableStream, response: ServerResponse): void => {
  let head = Buffer.alloc(0);
  const onData = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    output.removeListener('data', onData);
    for (const field of head.toString('latin1', 0, end).split('\r\n')) {
      const [name = '', ...value] = field.split(': ');
      if (name === 'Status') response.statusCode = Number.parseInt(value.join(': '), 10);
      else response.setHeader(name, value.join(': '));
    }
    response.write(head.subarray(end + 4));
    output.pipe(response);
  };
  output.on('data', onData);
  output.on('end', () => response.end());
};

const server = createServer((request, response) => {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const program = spawn(backend, [], {
    env: {
      ...environment,
      REQUEST_METHOD: request.method ?? 'GET',
      PATH_INFO: decodeURIComponent(path),
      QUERY_STRING: query,
      CONTENT_TYPE: header(request, 'content-type'),
      CONTENT_LENGTH: header(request, 'content-length'),
      HTTP_CONTENT_ENCODING: header(request, 'content-encoding'),
      HTTP_GIT_PROTOCOL: header(request, 'git-protocol'),
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  program.stdin.on('error', () => {});
  program.on('error', () => response.writeHead(500).end());
  request.pipe(program.stdin);
  relay(program.stdout, response);
});
server.requestTimeout = 0;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
});

let peak: number | null = null;
let sampling: NodeJS.Timeout | undefined;
process.on('message', (message) => {
  if (message === 'sample') {
    sampling ??= setInterval(() => {
      const now = residentMemory(process.pid);
      if (now !== null) peak = Math.max(peak ?? 0, now);
    }, 20);
  }
  process.send?.({ peak });
});
process.on('disconnect', () => {
  clearInterval(sampling);
  server.close();
  server.closeAllConnections();
});
