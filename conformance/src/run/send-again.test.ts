import { expect, it } from 'vitest';
import { sendAgain } from './send-again.ts';

const closed = (code: string): Error => Object.assign(new TypeError('fetch failed'), { cause: { code } });

/** Sends over connections of which the first ones fail so. */
const sending = (...failures: readonly Error[]) => {
  const sent: string[] = [];
  const left = [...failures];
  return {
    sent,
    async send(request: Request): Promise<Response> {
      sent.push(`${request.method} ${await request.text()}`);
      const failure = left.shift();
      if (failure !== undefined) throw failure;
      return new Response('done');
    },
  };
};
const init = { method: 'PUT', body: 'all of it' };

it('sends a request once more whose connection was closed while it was written', async () => {
  const { send, sent } = sending(closed('EPIPE'));
  expect(await (await sendAgain(send, 'http://host.test', init)).text()).toBe('done');
  expect(sent).toEqual(['PUT all of it', 'PUT all of it']);
});

it('fails where that happens twice', async () => {
  const { send, sent } = sending(closed('EPIPE'), closed('EPIPE'));
  await expect(sendAgain(send, 'http://host.test', init)).rejects.toThrow('fetch failed');
  expect(sent.length).toBe(2);
});

it('fails where a reply was lost or a body streams', async () => {
  const body = new Blob(['streamed']).stream();
  const streamed = { method: 'PUT', body, duplex: 'half' } as RequestInit;
  const lost = sending(closed('ECONNRESET'));
  await expect(sendAgain(lost.send, 'http://host.test', init)).rejects.toThrow('fetch failed');
  const stream = sending(closed('EPIPE'));
  await expect(sendAgain(stream.send, 'http://host.test', streamed)).rejects.toThrow('fetch failed');
  expect([lost.sent.length, stream.sent.length]).toEqual([1, 1]);
});
