import { describe, expect, it } from 'vitest';
import { runtimeNames } from './running-entry.ts';
import { startEntry } from './start-entry.ts';

describe.each(runtimeNames)('an entry on %s', (runtime) => {
  it.each(['echo.ts', 'echo-hono.ts'])('serves and prints: %s', async (entry) => {
    const running = await startEntry(runtime, new URL(`entries/${entry}`, import.meta.url));
    try {
      const response = await fetch(`${running.url}/path`, { method: 'POST', body: 'body' });
      expect([response.status, await response.text()]).toEqual([201, 'POST /path body']);
      await expect.poll(() => running.lines()).toEqual(['{"pathname":"/path"}']);
    } finally {
      await running.close();
    }
    await expect(fetch(running.url)).rejects.toThrow('fetch failed');
  });

  it('reports why it does not start', async () => {
    const starting = startEntry(runtime, new URL('entries/broken.ts', import.meta.url));
    await expect(starting).rejects.toThrow('this module cannot be loaded');
  });
});
