import { secret } from './throwing.ts';

/** Waits until the client disconnects, if the runtime reports it, and then fails, like cancelled work. */
export async function waitForTheClientToGo(request: Request): Promise<Response> {
  console.log('{"event":"waiting"}');
  await new Promise<void>((resolve) => {
    request.signal.addEventListener('abort', () => resolve());
  });
  console.log('{"event":"gone"}');
  throw new Error(`${secret}: stopped, since the client has gone`);
}

/** Reads the client's upload, and fails if it breaks off. */
export async function readUpload(request: Request): Promise<Response> {
  console.log('{"event":"waiting"}');
  try {
    return new Response(await request.text());
  } finally {
    console.log('{"event":"gone"}');
  }
}
