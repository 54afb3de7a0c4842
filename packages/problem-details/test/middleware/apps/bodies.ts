import { secret } from './throwing.ts';

const encoder = new TextEncoder();

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A body that sends chunks and then breaks, after a delay in which the chunks are sent. */
function breaking(chunks: readonly string[], before = 50): ReadableStream<Uint8Array<ArrayBuffer>> {
  const left = [...chunks];
  return new ReadableStream({
    async pull(controller) {
      await wait(left.length === chunks.length ? 0 : before);
      const chunk = left.shift();
      if (chunk === undefined) throw new Error(`${secret}: the source of the body failed`);
      controller.enqueue(encoder.encode(chunk));
    },
  });
}

/** A body that is broken before it is read. */
const broken = (): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({
    start(controller) {
      controller.error(new Error(`${secret}: the source of the body failed`));
    },
  });

/** An endless body, which logs when it is cancelled. */
function endless(request: Request): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      await wait(20);
      // Fails like a source that stops with its request.
      if (request.signal.aborted) throw new Error(`${secret}: stopped`);
      controller.enqueue(encoder.encode('tick;'));
    },
    cancel() {
      console.log('{"event":"cancelled"}');
    },
  });
}

function slow(chunks: readonly string[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  const left = [...chunks];
  return new ReadableStream({
    async pull(controller) {
      await wait(10);
      const chunk = left.shift();
      if (chunk === undefined) controller.close();
      else controller.enqueue(encoder.encode(chunk));
    },
  });
}

const text = { 'content-type': 'text/plain' };

/** Globals of only some runtimes. */
declare const Bun: { file(path: string | URL): Blob };
declare const FixedLengthStream: new (length: number) => TransformStream<Uint8Array, Uint8Array>;

/** A file, if the runtime sends files itself, as Bun does with the requested range. */
const file = (): Blob => ('Bun' in globalThis ? Bun.file(new URL(import.meta.url)) : new Blob(['no file']));

/** A stream whose length the runtime knows, like those of workerd from an origin or from R2. */
function ofKnownLength(): ReadableStream<Uint8Array> {
  const source = slow(['one;', 'two;']);
  return 'FixedLengthStream' in globalThis ? source.pipeThrough(new FixedLengthStream(8)) : source;
}

/** Responses of the app, by the name of their path. */
export const returned: Readonly<Record<string, (request: Request) => Response | Promise<Response>>> = {
  ok: () => new Response('all is well', { headers: { 'x-app': 'yes', etag: '"1"' } }),
  'own-500': () => Response.json({ mine: true }, { status: 500, headers: { 'retry-after': '3' } }),
  'own-503-empty': () => new Response(null, { status: 503 }),
  'own-404': () => new Response('<p>mine</p>', { status: 404, headers: { 'content-type': 'text/html' } }),
  redirect: () => new Response(null, { status: 302, headers: { location: '/elsewhere' } }),
  bytes: () => new Response(new Uint8Array([0, 255, 128, 10]), { headers: { 'content-type': 'image/x-app' } }),
  'two-cookies': () =>
    new Response('', {
      headers: [
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ],
    }),
  large: () => new Response('0123456789'.repeat(20_000)),
  'large-blob': () => new Response(new Blob(['0123456789'.repeat(300_000)], { type: 'text/x-app' })),
  'large-text': () => new Response('0123456789'.repeat(300_000), { headers: text }),
  file: () => new Response(file()),
  slow: () => new Response(slow(['one;', 'two;', 'three;']), { headers: text }),
  'slow-of-known-length': () => new Response(slow(['one;', 'two;']), { headers: { ...text, 'content-length': '8' } }),
  'slow-of-length-that-the-runtime-knows': () => new Response(ofKnownLength(), { headers: text }),
  // A wrong length is harmless if the runtime sets the length itself.
  'slow-of-wrong-length': () =>
    new Response(slow(['one;', 'two;']), {
      headers: { ...text, 'content-length': 'FixedLengthStream' in globalThis ? '4' : '8' },
    }),
  breaks: () => new Response(breaking(['one;', 'two;']), { headers: text }),
  'breaks-before': () => new Response(broken(), { headers: text }),
  'breaks-at-once': () => new Response(breaking([]), { headers: text }),
  'breaks-of-known-length': () =>
    new Response(breaking(['one;', 'two;']), { headers: { ...text, 'content-length': '100' } }),
  endless: (request) => new Response(endless(request), { headers: text }),
};
