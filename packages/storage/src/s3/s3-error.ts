import { StorageUnavailable } from '@packhouse/base';
import { StorageError } from '@packhouse/git';
import { childText, readXml, XmlError } from './read-xml.ts';

/** A failure that may pass: the caller tries again. */
export class S3Error extends StorageUnavailable {
  override readonly name = 'S3Error';
}

/** A refusal that a retry cannot change. */
export class S3Refusal extends StorageError {
  /** Status of HTTP, or 200 if the reply began as a success. */
  readonly status: number;
  /** Code of S3, such as `NoSuchKey`; empty if the reply has none. */
  readonly code: string;

  constructor(message: string, status: number, code: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Codes that may pass although their status says otherwise. Credentials that have expired may have been renewed. */
const passing: ReadonlySet<string> = new Set([
  'BadDigest',
  'ExpiredToken',
  'IncompleteBody',
  'InternalError',
  'OperationAborted',
  'RequestTimeout',
  'ServiceUnavailable',
  'SlowDown',
  'XAmzContentSHA256Mismatch',
]);

/**
 * Makes the error of a reply. Of the reply itself it has only the code: texts of S3 quote access keys and what was
 * signed.
 *
 * @param operation such as `PUT account/id.pack`.
 */
export function replyError(operation: string, status: number, text: string): S3Error | S3Refusal {
  const code = errorCode(text);
  const message = `S3 answered ${operation} with ${status}${code === '' ? '' : ` ${code}`}`;
  // A proxy before the store may say so while the store is away: then it is no word about the object.
  const isForeign = status === 404 && code === '' && !operation.startsWith('HEAD ');
  const passes = status >= 500 || status === 408 || status === 429 || isForeign || passing.has(code);
  return passes ? new S3Error(message) : new S3Refusal(message, status, code);
}

/** Tests for the error of an object that does not exist. The reply to a HEAD has no code. */
export function isMissing(error: unknown): boolean {
  return error instanceof S3Refusal && error.status === 404 && ['', 'NoSuchKey'].includes(error.code);
}

/** Makes the error of a connection, with the system's code alone: its text would tell addresses. */
export function connectionError(operation: string, error: unknown): S3Error {
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  const text = error instanceof Error && code === '' ? error.message : 'The connection broke';
  return new S3Error(`S3 did not answer ${operation}: ${text}${code}`);
}

function errorCode(text: string): string {
  try {
    const code = childText(readXml(text), 'Code') ?? '';
    return /^[A-Za-z0-9.]{1,64}$/.test(code) ? code : '';
  } catch (error) {
    if (error instanceof XmlError) return '';
    throw error;
  }
}
