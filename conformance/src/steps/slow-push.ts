import { listedRefs, pushBody, reportOf, type Command, type Remote } from '../tools/wire-client.ts';

/** A push that has sent only the first half of its pack. */
export interface SlowPush {
  /** Sends the rest. */
  end(): Promise<{ readonly status: number; readonly text: string; readonly report: string[] }>;
  /** Breaks the connection. */
  abort(): Promise<void>;
}

/** Sends the commands of a push and half of its pack, and waits until the service must have received them. */
export async function slowPush(to: Remote, commands: readonly Command[], pack: Uint8Array): Promise<SlowPush> {
  const body = pushBody(commands, pack);
  const half = body.length - Math.ceil(pack.length / 2);
  const stop = new AbortController();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const init: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    headers: { authorization: `Bearer ${to.token}`, 'content-type': 'application/x-git-receive-pack-request' },
    body: readable,
    duplex: 'half',
    signal: stop.signal,
  };
  const reply = (to.fetch ?? fetch)(`${to.remote}/git-receive-pack`, init);
  // `end` and `abort` report failures. A service that answers early may leave the body unread.
  reply.catch(() => undefined);
  writer.write(body.subarray(0, half)).catch(() => undefined);
  // These requests arrive after the push, so once they are answered, the service has received the push.
  for (let i = 0; i < 3; i++) await listedRefs(to);
  return {
    async end() {
      writer
        .write(body.subarray(half))
        .then(() => writer.close())
        .catch(() => undefined);
      const response = await reply;
      const bytes = Buffer.from(await response.arrayBuffer());
      return {
        status: response.status,
        text: response.ok ? '' : bytes.toString(),
        report: response.ok ? reportOf(bytes) : [],
      };
    },
    async abort() {
      stop.abort();
      await reply.catch(() => undefined);
    },
  };
}
