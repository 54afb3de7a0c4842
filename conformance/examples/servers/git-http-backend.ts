/**
 * Stock `git http-backend` behind the HTTP server of Node, as a CGI program (RFC 3875): each request starts one process.
 * A repository is made when it is first asked for. Run: `node git-http-backend.ts FOLDER PORT`.
 */

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';

/** Options that http-backend(1) and git-config(1) leave to the operator: pushes, and optional features of protocol 2. */
const settings = [
  ['http.receivepack', 'true'],
  ['receive.denyDeleteCurrent', 'ignore'],
  ['receive.autogc', 'false'],
  ['receive.fsckObjects', 'true'],
  ['receive.advertisePushOptions', 'true'],
  ['uploadpack.allowFilter', 'true'],
  ['uploadpack.allowAnySHA1InWant', 'true'],
  ['uploadpack.allowSidebandAll', 'true'],
  ['transfer.advertiseObjectInfo', 'true'],
  ['transfer.advertiseSID', 'true'],
] as const;

/** Makes a server of the repositories below a folder. */
export function httpBackend(folder: string): Server {
  return createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    const [, name] = /^\/([\w-]+\.git)\//.exec(pathname) ?? [];
    if (name !== undefined && !existsSync(join(folder, name))) makeRepository(join(folder, name));
    answer(folder, pathname, search.slice(1), request, response);
  });
}

/** Makes an empty bare repository whose HEAD names `main`. */
export function makeRepository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', folder]);
  for (const [key, value] of settings) execFileSync('git', ['-C', folder, 'config', key, value]);
}

function answer(root: string, path: string, query: string, request: IncomingMessage, response: ServerResponse): void {
  const header = (name: string): string => String(request.headers[name] ?? '');
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      REQUEST_METHOD: request.method,
      PATH_INFO: path,
      QUERY_STRING: query,
      CONTENT_TYPE: header('content-type'),
      ...(request.headers['content-length'] === undefined ? {} : { CONTENT_LENGTH: header('content-length') }),
      HTTP_CONTENT_ENCODING: header('content-encoding'),
      GIT_PROTOCOL: header('git-protocol'),
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  // A client that leaves never ends its request.
  response.on('close', () => child.kill());
  // It does not read the body of a request that it refuses.
  child.stdin.on('error', () => undefined);
  request.pipe(child.stdin);
  let head = Buffer.alloc(0);
  child.stdout.on('data', (bytes: Buffer) => {
    if (response.headersSent) return void response.write(bytes);
    head = Buffer.concat([head, bytes]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const lines = head
      .subarray(0, end)
      .toString('latin1')
      .split('\r\n')
      .map((line) => line.split(/:\s*/, 2) as [string, string]);
    const status = Number.parseInt(lines.find(([name]) => name === 'Status')?.[1] ?? '200', 10);
    response.writeHead(status, lines.filter(([name]) => name !== 'Status').flat());
    return void response.write(head.subarray(end + 4));
  });
  child.on('close', () => {
    if (!response.headersSent) response.writeHead(500);
    response.end();
  });
}

if (import.meta.main) {
  const [folder = '.', port = '8080'] = process.argv.slice(2);
  httpBackend(folder).listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/{name}.git`));
}
