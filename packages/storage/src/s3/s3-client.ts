import { AwsV4Signer } from 'aws4fetch';
import type { PiecedBody } from '../bucket/bucket.ts';
import { bodyDigest } from './body-digest.ts';
import { HttpConnections, type HttpReply } from './http-exchange.ts';
import { objectAddresses, type ObjectPlaces } from './object-address.ts';
import { connectionError, replyError, S3Error } from './s3-error.ts';

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** For credentials that expire. */
  readonly sessionToken?: string;
}

export interface S3ClientOptions extends ObjectPlaces {
  /** Asked for each request, so that credentials that expire can be renewed. */
  readonly credentials: () => S3Credentials | Promise<S3Credentials>;
  /** Maximum milliseconds without progress of a request. Default 20,000. */
  readonly idle?: number;
  /** Called after each request, for counts. */
  readonly onRequest?: (request: S3Request) => void;
}

/** A request that has ended, with or without a reply. */
export interface S3Request {
  readonly method: string;
  /** Bytes of the body that was sent. */
  readonly sent: number;
  /** Absent if there was no reply. */
  readonly status?: number;
  /** Until the reply began. */
  readonly milliseconds: number;
}

export interface S3Call {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Key of the object. Null for the bucket itself. */
  readonly key: string | null;
  readonly query?: Readonly<Record<string, string>>;
  readonly range?: string;
  readonly body?: PiecedBody;
}

/** Maximum bytes of a reply that is read as text. That of a list of 1,000 objects has a few hundred kilobytes. */
const textMax = 4_194_304;

const nothing = new Uint8Array(0);

/** Signs requests for the objects of one bucket, and makes errors of replies without success. Never repeats one. */
export class S3Client {
  readonly #options: S3ClientOptions;
  readonly #connections: HttpConnections;
  readonly #address: (key: string) => URL;
  readonly #bucketAddress: URL;
  /** Keys derived from credentials, one a day. */
  readonly #derivedKeys = new Map<string, ArrayBuffer>();

  /** @throws {RangeError} for an invalid bucket, region, endpoint, addressing style or prefix. */
  constructor(options: S3ClientOptions) {
    this.#options = options;
    this.#connections = new HttpConnections(options.idle ?? 20_000);
    this.#address = objectAddresses(options);
    const address = objectAddresses({ ...options, prefix: '' })('');
    // Not every store signs the slash after the bucket.
    address.pathname = address.pathname.replace(/\/$/, '');
    this.#bucketAddress = address;
  }

  /**
   * @throws {S3Error} if a retry may help.
   * @throws {S3Refusal} if not.
   */
  async call(call: S3Call): Promise<HttpReply> {
    const { method, key, body = nothing } = call;
    // The last part of a key is the id of a pack; a log would take the others for a path.
    const operation = `${method} ${key?.split('/').at(-1) ?? 'the bucket'}`;
    const started = performance.now();
    const done = (status?: number): void =>
      this.#options.onRequest?.({
        method,
        sent: body instanceof Uint8Array ? body.length : body.size,
        ...(status === undefined ? {} : { status }),
        milliseconds: performance.now() - started,
      });
    const signed = await this.#sign(call, body);
    let reply: HttpReply;
    try {
      reply = await this.#connections.exchange({ method, ...signed, body });
    } catch (error) {
      done();
      throw connectionError(operation, error);
    }
    done(reply.status);
    if (reply.status >= 200 && reply.status < 300) {
      if (await this.#isOfStore(call, reply, operation)) return reply;
      await reply.body.cancel().catch(() => undefined);
      throw new S3Error(`S3 answered ${operation} with ${reply.status}, but not as a store does`);
    }
    throw replyError(operation, reply.status, await this.text(reply, operation));
  }

  /** Does the same, and drops the body of the reply. */
  async run(call: S3Call): Promise<HttpReply> {
    const reply = await this.call(call);
    await reply.body.cancel().catch(() => undefined);
    return reply;
  }

  /**
   * Tests that a success is about the object. A proxy may answer with its own page, and a success may end as an error:
   * then nothing was stored or removed. Replies to POST, and about the bucket, are parsed by their callers.
   */
  async #isOfStore({ method, key }: S3Call, reply: HttpReply, operation: string): Promise<boolean> {
    if (key === null || method === 'POST') return true;
    if (method === 'DELETE') return reply.status === 204 || (await this.text(reply, operation)) === '';
    return (reply.header('etag') ?? '') !== '';
  }

  /** Reads a short reply as a whole; only its beginning if it is long. */
  async text({ body }: HttpReply, operation: string): Promise<string> {
    const decoder = new TextDecoder();
    let [text, size] = ['', 0];
    try {
      for await (const chunk of body) {
        text += decoder.decode(chunk, { stream: true });
        size += chunk.length;
        if (size > textMax) break;
      }
    } catch (error) {
      throw connectionError(operation, error);
    }
    return text.slice(0, textMax);
  }

  close(): void {
    this.#connections.close();
  }

  async #sign({ method, key, query, range }: S3Call, body: PiecedBody) {
    const url = key === null ? new URL(this.#bucketAddress) : this.#address(key);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    // A checksum that every store verifies, since it is a part of what is signed.
    const headers = { 'x-amz-content-sha256': await bodyDigest(body), ...(range === undefined ? {} : { range }) };
    if (this.#derivedKeys.size > 8) this.#derivedKeys.clear();
    const { accessKeyId, secretAccessKey, sessionToken } = await this.#options.credentials();
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
      service: 's3',
      region: this.#options.region,
      cache: this.#derivedKeys,
    });
    const signed = await signer.sign();
    return { url: signed.url, headers: signed.headers };
  }
}
