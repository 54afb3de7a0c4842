import { secret } from './throwing.ts';

/** Waits until the client has gone, as far as the runtime tells, and then fails, as work does that is stopped. */
export async function waitForTheClientToGo(request: Request): Promise<Response> {
  console.log('{"event":"waiting"}');
  await new Promise<void>((resolve) => {
    request.signal.addEventListener('abort', () => resolve());
  });
  console.log('{"event":"gone"}');
  throw new Error(`${secret}: stopped, since the client has gone`);
}

/** Reads what the client sends, and fails if it stops to. */
export async function readUpload(request: Request): Promise<Response> {
  console.log('{"event":"waiting"}');
  try {
    return new Response(await request.text());
  } finally {
    console.log('{"event":"gone"}');
  }
}
