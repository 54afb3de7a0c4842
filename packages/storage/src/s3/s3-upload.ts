import { StorageError } from '@packhouse/git';
import type { BucketPart, BucketUpload, PiecedBody } from '../bucket/bucket.ts';
import { childText, escapeXml, readXml, XmlError, type XmlElement } from './read-xml.ts';
import type { S3Client } from './s3-client.ts';
import { isMissing, replyError, S3Error, S3Refusal } from './s3-error.ts';

/** Maximum length of the id of an upload; the longest known one has 700 characters. */
const idMax = 2_048;

/**
 * Begins an upload in parts. Its id is stored in an object beside the key before any part, so that another process can
 * abort the upload (`abortRecorded`). S3 drops no upload by itself, and not every store can list them.
 */
export async function beginUpload(client: S3Client, key: string): Promise<BucketUpload<PiecedBody>> {
  const operation = `POST ${key}`;
  const text = await client.text(await client.call({ method: 'POST', key, query: { uploads: '' } }), operation);
  const uploadId = childText(resultOf(operation, text, 'InitiateMultipartUploadResult'), 'UploadId') ?? '';
  if (uploadId === '' || uploadId.length > idMax) throw new StorageError(`S3 answered ${operation} without an upload`);
  const sizes = new Map<number, number>();
  const end = async (): Promise<void> => {
    await abort(client, key, uploadId);
    await client.run({ method: 'DELETE', key: recordKey(key) });
  };
  try {
    await client.run({ method: 'PUT', key: recordKey(key), body: new TextEncoder().encode(uploadId) });
  } catch (error) {
    // If that fails, too, an upload without parts stays, which has no bytes.
    await end().catch(() => undefined);
    throw error;
  }
  return {
    async uploadPart(partNumber, body) {
      const query = { partNumber: String(partNumber), uploadId };
      const etag = (await client.run({ method: 'PUT', key, query, body })).header('etag') ?? '';
      if (etag === '' || etag.length > 256) throw new StorageError(`S3 answered PUT ${key} without an ETag`);
      sizes.set(partNumber, sizeOf(body));
      return { partNumber, etag };
    },
    async complete(parts) {
      const body = new TextEncoder().encode(completion(parts));
      const reply = await client.text(await client.call({ method: 'POST', key, query: { uploadId }, body }), operation);
      resultOf(operation, reply, 'CompleteMultipartUploadResult');
      // Without parts, the record costs little: it goes with its pack at the latest.
      await client.run({ method: 'DELETE', key: recordKey(key) }).catch(() => undefined);
      return { size: parts.reduce((sum, { partNumber }) => sum + (sizes.get(partNumber) ?? 0), 0) };
    },
    abort: end,
  };
}

/** Aborts the upload to this key whose record exists. */
export async function abortRecorded(client: S3Client, key: string): Promise<void> {
  const record = recordKey(key);
  let uploadId: string;
  try {
    uploadId = await client.text(await client.call({ method: 'GET', key: record }), `GET ${record}`);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  if (uploadId.length > idMax) throw new StorageError(`${record} has no id of an upload`);
  await abort(client, key, uploadId);
  await client.run({ method: 'DELETE', key: record });
}

async function abort(client: S3Client, key: string, uploadId: string): Promise<void> {
  try {
    await client.run({ method: 'DELETE', key, query: { uploadId } });
  } catch (error) {
    // 404: it has ended. 405, 501: the store cannot abort.
    if (!(error instanceof S3Refusal) || ![404, 405, 501].includes(error.status)) throw error;
  }
}

function recordKey(key: string): string {
  return `${key}.upload`;
}

/** Number of bytes of a body. */
export function sizeOf(body: PiecedBody): number {
  return body instanceof Uint8Array ? body.length : body.size;
}

function completion(parts: readonly BucketPart[]): string {
  const named = parts.map(
    ({ partNumber, etag }) => `<Part><PartNumber>${partNumber}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
  );
  return `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${named.join('')}</CompleteMultipartUpload>`;
}

/**
 * Reads the result of a reply with status 200.
 *
 * @throws {S3Error} if the reply is not whole. A reply that began as a success may end as the error of `replyError`.
 */
function resultOf(operation: string, text: string, name: string): XmlElement {
  let root: XmlElement;
  try {
    root = readXml(text);
  } catch (error) {
    if (error instanceof XmlError) throw new S3Error(`S3 answered ${operation} with no whole result`);
    throw error;
  }
  if (root.name !== name) throw replyError(operation, 200, text);
  return root;
}
