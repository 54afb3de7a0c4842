import { bodyMax, BodyCopy, copyOf, passingBy } from './body-copy.ts';
import { currentRecorder, type OpenHttpStep, type Recorder } from './recorder.ts';

/** Sends a request by `send`, and records it with its reply. Bodies stay streams. */
export async function recordFetch(
  recorder: Recorder,
  url: string,
  init: RequestInit,
  send: (init: RequestInit) => Promise<Response>,
): Promise<Response> {
  const { body } = init;
  let copy: BodyCopy | null = null;
  let sent = init;
  if (typeof body === 'string' || body instanceof Uint8Array) copy = copyOf(body);
  else if (body instanceof ReadableStream) {
    copy = new BodyCopy();
    sent = { ...init, body: passingBy(body as ReadableStream<Uint8Array>, copy) };
  }
  const headers = [...new Headers(init.headers)];
  const step = begin(recorder, { raw: false, method: init.method ?? 'GET', url, headers, body: copy });
  try {
    const response = await send(sent);
    return recordReply(recorder, step, response);
  } catch (error) {
    step.error = messageOf(error);
    throw error;
  }
}

function recordReply(recorder: Recorder, step: OpenHttpStep, response: Response): Response {
  step.milliseconds = recorder.now() - step.at;
  const { status, statusText, headers, body } = response;
  const reply = { status, headers: [...headers], body: null };
  step.reply = reply;
  if (body === null || body.locked || status < 200 || status > 599) return response;
  const copy = new BodyCopy();
  const recorded = new Response(passingBy(body, copy), { status, statusText, headers });
  step.reply = { ...reply, body: copy, readStart: () => readStart(recorded, copy) };
  // A response that is made by hand does not know these.
  for (const name of ['url', 'redirected', 'type'] as const) {
    Object.defineProperty(recorded, name, { value: response[name] });
  }
  return recorded;
}

async function readStart({ body }: Response, copy: BodyCopy): Promise<void> {
  if (body === null || body.locked || copy.bytes > 0) return;
  const reader = body.getReader();
  while (copy.bytes < bodyMax && !(await reader.read()).done);
  await reader.cancel();
}

/** A request that goes over a socket. */
export interface RawSent {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: Uint8Array;
}

interface RawReceived {
  readonly status: number;
  readonly headers: Iterable<readonly [string, string]>;
  readonly body: Uint8Array;
}

/** Records a request that goes over a socket of the suite, if a case runs. `read` returns the reply for the record. */
export async function recordRaw<T>(
  { body, ...sent }: RawSent,
  send: () => Promise<T>,
  read: (reply: T) => RawReceived,
): Promise<T> {
  const recorder = currentRecorder();
  if (recorder === undefined) return await send();
  const step = begin(recorder, { raw: true, ...sent, body: body === undefined ? null : copyOf(body) });
  try {
    const reply = await send();
    const got = read(reply);
    step.milliseconds = recorder.now() - step.at;
    step.reply = { status: got.status, headers: [...got.headers], body: copyOf(got.body) };
    return reply;
  } catch (error) {
    step.error = messageOf(error);
    throw error;
  }
}

function begin(
  recorder: Recorder,
  sent: Pick<OpenHttpStep, 'raw' | 'method' | 'url' | 'headers' | 'body'>,
): OpenHttpStep {
  const step: OpenHttpStep = {
    kind: 'http',
    at: recorder.now(),
    ...sent,
    milliseconds: null,
    reply: null,
    error: null,
  };
  recorder.add(step);
  return step;
}

/** Returns the message of an error with that of its cause: "fetch failed" alone says nothing. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
