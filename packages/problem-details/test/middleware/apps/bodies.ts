import { secret } from './throwing.ts';

const encoder = new TextEncoder();

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A body that sends chunks and then breaks; after a moment, so that what was sent is on its way. */
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

/** A body that broke before anybody reads it. */
const broken = (): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({
    start(controller) {
      controller.error(new Error(`${secret}: the source of the body failed`));
    },
  });

/** A body without an end; says when nobody wants it any more. */
function endless(request: Request): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      await wait(20);
      // As a source does that is stopped with its request.
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

/** What only some runtimes have. */
declare const Bun: { file(path: string | URL): Blob };
declare const FixedLengthStream: new (length: number) => TransformStream<Uint8Array, Uint8Array>;

/** A file, where the runtime sends files itself: Bun, which answers with the range that was asked for. */
const file = (): Blob => ('Bun' in globalThis ? Bun.file(new URL(import.meta.url)) : new Blob(['no file']));

/** A stream whose length the runtime knows, as workerd does of those from an origin or from R2. */
function ofKnownLength(): ReadableStream<Uint8Array> {
  const source = slow(['one;', 'two;']);
  return 'FixedLengthStream' in globalThis ? source.pipeThrough(new FixedLengthStream(8)) : source;
}

/** Responses that an app returns, by the name of their path. */
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
  // Where the runtime chooses the length itself, one that is wrong does no harm.
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
