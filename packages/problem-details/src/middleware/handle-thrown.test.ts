import { describe, expect, it, vi } from 'vitest';
import { createPlatformErrors } from '../response/create.ts';
import type { LogRecord } from '../response/log.ts';
import { PlatformError } from '../thrown/platform-error.ts';
import { handleThrown } from './handle-thrown.ts';

const url = 'https://shop.example/';

function withLog(): { readonly errors: ReturnType<typeof createPlatformErrors>; readonly log: LogRecord[] } {
  const log: LogRecord[] = [];
  return { errors: createPlatformErrors({ unhandledCode: 1104, log: (record) => log.push(record) }), log };
}

/** A body that records if it is read and cancelled. */
function watchedBody(): { readonly body: ReadableStream; readonly cancel: () => void; readonly pull: () => void } {
  const [pull, cancel] = [vi.fn(), vi.fn()];
  return { body: new ReadableStream({ pull, cancel }, { highWaterMark: 0 }), pull, cancel };
}

const upload = (body: ReadableStream): Request =>
  new Request(url, { method: 'POST', body, duplex: 'half' } as RequestInit);

describe('handleThrown', () => {
  it('ERR-123: logs the ray id of the reply, and replies with the code of the settings', async () => {
    const { errors, log } = withLog();
    const response = await handleThrown(errors, new Request(url), new Error('SECRET'));
    const rayId = errors.rayIdOf(response);
    expect(rayId).toMatch(/^[0-9a-f]{16}$/);
    expect(log).toEqual([
      { event: 'platform-error', code: 1104, ray_id: rayId, zone: 'shop.example', status: 500 },
      { event: 'unhandled', ray_id: rayId, message: 'SECRET', stack: expect.stringContaining('handle-thrown.test') },
    ]);
    expect(await response.text()).not.toContain('SECRET');
  });

  it('ERR-128: builds no response and logs nothing if the client has gone', async () => {
    const { errors, log } = withLog();
    const respond = vi.spyOn(errors, 'respond');
    const request = new Request(url, { signal: AbortSignal.abort() });
    for (const thrown of [new Error('stopped'), new PlatformError(1015), 'text']) {
      const response = await handleThrown(errors, request, thrown);
      expect([response.status, response.body, [...response.headers]]).toEqual([499, null, []]);
    }
    expect(respond).not.toHaveBeenCalled();
    expect(log).toEqual([]);
  });

  it('ERR-129: keeps headers that others have set, except those of the reply', async () => {
    const pending = new Headers({ 'x-other': 'stays', etag: '"goes"', 'cache-control': 'public' });
    const response = await handleThrown(withLog().errors, new Request(url), new PlatformError(1015), pending);
    expect(response.headers.get('x-other')).toBe('stays');
    expect(response.headers.has('etag')).toBe(false);
    expect(response.headers.get('cache-control')).toContain('no-store');
  });

  it('ERR-082: uses a Retry-After that others have set', async () => {
    const pending = new Headers({ 'retry-after': '77' });
    const response = await handleThrown(withLog().errors, new Request(url), new PlatformError(1015), pending);
    expect(response.headers.get('retry-after')).toBe('77');
  });

  it('ERR-130: cancels an unread request body without reading it', async () => {
    const { body, cancel, pull } = watchedBody();
    await handleThrown(withLog().errors, upload(body), new PlatformError(1015));
    expect(cancel).toHaveBeenCalledOnce();
    expect(pull).not.toHaveBeenCalled();
  });

  it('ERR-130: does not cancel a request body that is being read', async () => {
    const { body, cancel } = watchedBody();
    const request = upload(body);
    const reader = request.body?.getReader();
    const response = await handleThrown(withLog().errors, request, new PlatformError(1015));
    expect(response.status).toBe(429);
    expect(cancel).not.toHaveBeenCalled();
    await reader?.cancel();
  });

  it('ERR-130: answers even if a body cannot be cancelled', async () => {
    const body = new ReadableStream({ cancel: () => Promise.reject(new Error('no')) });
    expect((await handleThrown(withLog().errors, upload(body), new PlatformError(1015))).status).toBe(429);
  });
});
