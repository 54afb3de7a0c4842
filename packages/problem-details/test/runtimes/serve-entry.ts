import process from 'node:process';
import { pathToFileURL } from 'node:url';
import type { EntryModule } from './running-entry.ts';

/** The globals of Deno and Bun that this file uses. */
declare const Deno: {
  serve(
    options: { hostname: string; port: number; onListen: (address: { port: number }) => void },
    handler: EntryModule['handle'],
  ): void;
};
declare const Bun: {
  serve(options: { hostname: string; port: number; fetch: EntryModule['handle'] }): { readonly port: number };
};

/** Serves on a free port with the runtime's own server, or on Node with Hono's recommended adapter. */
async function serve(handle: EntryModule['handle'], hostname: string): Promise<number> {
  if ('Deno' in globalThis) {
    return new Promise((resolve) => Deno.serve({ hostname, port: 0, onListen: ({ port }) => resolve(port) }, handle));
  }
  if ('Bun' in globalThis) return Bun.serve({ hostname, port: 0, fetch: handle }).port;
  const { serve: serveNode } = await import('@hono/node-server');
  return new Promise((resolve) => {
    const fetch = (request: Request): Response | Promise<Response> => handle(request);
    serveNode({ fetch, hostname, port: 0 }, ({ port }) => resolve(port));
  });
}

const { handle } = (await import(pathToFileURL(process.argv[2] ?? '').href)) as EntryModule;
console.log(`serving http://127.0.0.1:${await serve(handle, '127.0.0.1')}`);
process.stdin.resume().on('close', () => process.exit(0));
