import { shown } from '../values/shown.ts';

/** The error for wrong options of a mock. The message has no full stop. */
export class MockOptionsError extends Error {
  override readonly name = 'MockOptionsError';
}

/**
 * Parses the origin of a mock.
 *
 * @throws {MockOptionsError} for anything but an origin of http or https, such as a URL with a path or a host with a
 *   wildcard.
 */
export function readOrigin(baseUrl: unknown): string {
  const text = baseUrl instanceof URL ? baseUrl.href : baseUrl;
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url !== undefined && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  if (!isOrigin || url.host.includes('*')) {
    throw new MockOptionsError(`baseUrl: expected an origin, such as https://api.example.test, got ${shown(baseUrl)}`);
  }
  return url.origin;
}
