import { describe, expect, it } from 'vitest';
import { isResponse, ownResponse } from './own-response.ts';

describe('ERR-122: the response of an exception', () => {
  it('is the thrown response, or the result of getResponse, synchronous or not', async () => {
    const response = new Response('own');
    expect(await ownResponse(response)).toBe(response);
    expect(await ownResponse({ getResponse: () => response })).toBe(response);
    expect(await ownResponse({ getResponse: async () => response })).toBe(response);
  });

  it('calls getResponse as a method', async () => {
    class Refusal extends Error {
      readonly response = new Response('refused');
      getResponse(): Response {
        return this.response;
      }
    }
    const refusal = new Refusal();
    expect(await ownResponse(refusal)).toBe(refusal.response);
  });

  it('is undefined without a response that can be sent', async () => {
    const used = new Response('used');
    await used.text();
    const bad = {
      getResponse() {
        throw new Error('no');
      },
    };
    const locked = new Response('locked');
    locked.body?.getReader();
    const thrown = [
      used,
      locked,
      Response.error(),
      bad,
      { getResponse: () => 'text' },
      { getResponse: 'text' },
      { response: new Response() },
    ];
    for (const value of [...thrown, undefined, null, 'text', new Error('plain')]) {
      expect(await ownResponse(value)).toBeUndefined();
    }
  });

  it('may be of another class than the global Response, as in some servers', () => {
    const other = { status: 200, headers: new Headers(), body: null, bodyUsed: false };
    expect(isResponse(other)).toBe(true);
    expect(isResponse({ ...other, headers: {} })).toBe(false);
  });
});
