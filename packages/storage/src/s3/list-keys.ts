import { StorageError } from '@packhouse/git';
import { retried, sleepWithJitter } from '../bucket/retry.ts';
import { childText, readXml, XmlError } from './read-xml.ts';
import type { S3Client } from './s3-client.ts';
import { S3Error } from './s3-error.ts';

/** Maximum length of a token; the longest known one has some hundred characters. */
const tokenMax = 4_096;

/**
 * Yields the keys below a prefix, without it, in pages (ListObjectsV2): those that begin with `beginning`.
 *
 * @throws {StorageError} if the store refuses, or fails four times.
 */
export async function* listKeys(
  client: S3Client,
  { prefix, beginning, pageSize }: { readonly prefix: string; readonly beginning: string; readonly pageSize: number },
): AsyncGenerator<readonly string[], void, undefined> {
  const start = prefix === '' ? '' : `${prefix}/`;
  let token: string | undefined;
  do {
    const size = String(pageSize);
    const query = {
      'list-type': '2',
      'max-keys': size,
      prefix: start + beginning,
      ...(token !== undefined && { 'continuation-token': token }),
    };
    const page = await retried(sleepWithJitter, () => listPage(client, query));
    yield page.keys.filter((key) => key.startsWith(start + beginning)).map((key) => key.slice(start.length));
    token = page.token;
  } while (token !== undefined);
}

async function listPage(client: S3Client, query: Readonly<Record<string, string>>) {
  const operation = 'a list of objects';
  const text = await client.text(await client.call({ method: 'GET', key: null, query }), operation);
  try {
    const root = readXml(text);
    if (root.name !== 'ListBucketResult') throw new XmlError('Not a list');
    const keys = root.children.filter(({ name }) => name === 'Contents').map((one) => childText(one, 'Key') ?? '');
    const token = childText(root, 'IsTruncated') === 'true' ? childText(root, 'NextContinuationToken') : undefined;
    if (token !== undefined && token.length > tokenMax) throw new StorageError('S3 sent a token that is too long');
    return { keys, token };
  } catch (error) {
    if (error instanceof XmlError) throw new S3Error(`S3 answered ${operation} with no whole result`);
    throw error;
  }
}
