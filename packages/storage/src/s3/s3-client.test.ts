import { expect, it, vi } from 'vitest';
import { HttpConnections, type HttpRequest } from './http-exchange.ts';
import { S3Client } from './s3-client.ts';

// "Examples: Signature calculations" of the reference of S3, where the bucket is in the host.
it.each([
  [{ lifecycle: '' }, 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
  [{ 'max-keys': '2', prefix: 'J' }, '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
])('REPO-325, REPO-400: signs the request of an example of AWS as AWS does: %j', async (query, signature) => {
  vi.useFakeTimers({ now: Date.UTC(2013, 4, 24), toFake: ['Date'] });
  const sent: HttpRequest[] = [];
  const exchange = vi.spyOn(HttpConnections.prototype, 'exchange').mockImplementation((request) => {
    sent.push(request);
    return Promise.resolve({ status: 200, header: () => undefined, body: new ReadableStream() });
  });
  const client = new S3Client({
    bucket: 'examplebucket',
    region: 'us-east-1',
    endpoint: 'https://s3.amazonaws.com',
    addressing: 'virtual',
    credentials: () => ({
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    }),
  });
  try {
    await client.call({ method: 'GET', key: null, query });
  } finally {
    vi.useRealTimers();
    exchange.mockRestore();
    client.close();
  }
  expect(sent[0]?.url.host).toBe('examplebucket.s3.amazonaws.com');
  expect(sent[0]?.headers.get('authorization')).toMatch(new RegExp(`Signature=${signature}$`));
});
