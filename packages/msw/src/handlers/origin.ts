/** What is wrong with the options of a mock: a sentence without a full stop. */
export class MockOptionsError extends Error {
  override readonly name = 'MockOptionsError';
}

/**
 * The origin that a mock answers for.
 *
 * @throws {MockOptionsError} for what is no origin of http or https, such as a URL with a path, or a host with a wildcard.
 */
export function readOrigin(baseUrl: string): string {
  const url = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const isOrigin = url !== undefined && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  if (!isOrigin || url.host.includes('*')) {
    throw new MockOptionsError('baseUrl: expected an origin, such as https://api.example.test');
  }
  return url.origin;
}
