import type { PlatformErrors } from '../response/platform-errors.ts';
import { clientIsGone } from './client.ts';
import { describeThrown } from './describe-thrown.ts';
import { isResponse } from './own-response.ts';
import { readAhead, type Begun } from './read-ahead.ts';

type Bytes = Uint8Array<ArrayBuffer>;
type BodyReader = ReadableStreamDefaultReader<Bytes>;

/** Of the error that a watched body breaks off with, so that the log is told once where two watch. */
const told = Symbol.for('@packhouse/problem-details/told');

/**
 * Watches the body of a response, so that the log is told if it breaks off after it has begun (ERR-127). The break is
 * passed on, and the runtime cuts the reply. A body that is at its end at once cannot break and stays as it is; so do
 * all bodies if there is no log function, and those that the runtime itself has to interpret.
 */
export const watchBody = async (errors: PlatformErrors, request: Request, response: Response): Promise<Response> => {
  if (!errors.settings.logs || isKnownStatic(response) || !isResponse(response)) return response;
  if (!hasPlainBody(request, response)) return response;
  const reader: BodyReader = response.body.getReader();
  const begun = await readAhead(reader);
  // Not the response itself, which Hono's server for Node would keep at hand, too.
  const { status, statusText, headers } = response;
  const init = { status, statusText, headers };
  if (begun.reading === undefined) return new Response(joined(begun.chunks), init);
  const tell = (thrown: unknown): void => {
    if (clientIsGone(request) || (typeof thrown === 'object' && thrown !== null && told in thrown)) return;
    const { message } = describeThrown(thrown);
    errors.log({ event: 'broken-stream', ray_id: errors.rayIdOf(response), message });
  };
  return new Response(ofKnownLength(relay(reader, begun, tell), headers), init);
};

/**
 * Whether a response is one of Hono's server for Node whose body is at hand. As soon as its headers or its body are
 * looked at, it becomes slower, and its content type another one.
 */
const isKnownStatic = (response: Response): boolean => {
  if (typeof response !== 'object' || response === null) return false;
  const cache = Object.getOwnPropertySymbols(response).find(({ description }) => description === 'cache');
  const kept: unknown = cache && Reflect.get(response, cache);
  const body: unknown = Array.isArray(kept) ? kept[1] : undefined;
  return body === null || typeof body === 'string' || body instanceof Uint8Array;
};

const hasPlainBody = (
  request: Request,
  response: Response,
): response is Response & { readonly body: ReadableStream<Bytes> } =>
  request.method !== 'HEAD' &&
  response.status >= 200 &&
  // Bun gives a type to a text that has none, and only as long as nobody looked at its body.
  (response.headers.has('content-type') || !('Bun' in globalThis)) &&
  response.body !== null &&
  !response.bodyUsed &&
  !response.body.locked &&
  !response.headers.has('content-encoding') &&
  !('webSocket' in response && response.webSocket);

const joined = (chunks: readonly Bytes[]): Bytes => {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
};

/** The same body, read no faster than it is asked for. */
const relay = (reader: BodyReader, begun: Begun, tell: (thrown: unknown) => void): ReadableStream<Bytes> => {
  const chunks = [...begun.chunks];
  let { reading } = begun;
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        const chunk = chunks.shift();
        if (chunk !== undefined) return controller.enqueue(chunk);
        try {
          const { done, value } = await (reading ?? reader.read());
          reading = undefined;
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (thrown) {
          tell(thrown);
          // Not the error itself: a server that has sent nothing yet may answer with its message.
          controller.error(Object.assign(new Error('The body broke off.'), { [told]: true }));
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
};

/** Workers send a `Content-Length` only with streams that have one. */
const ofKnownLength = (body: ReadableStream<Bytes>, headers: Headers): ReadableStream<Bytes> => {
  const length = headers.get('content-length');
  if (length === null || !/^\d{1,15}$/.test(length)) return body;
  const { FixedLengthStream: Fixed } = globalThis as {
    readonly FixedLengthStream?: new (length: number) => TransformStream<Bytes, Bytes>;
  };
  return Fixed === undefined ? body : body.pipeThrough(new Fixed(Number(length)));
};
