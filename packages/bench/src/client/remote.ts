import { Agent, request, type IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A repository on a measured server, with the headers that give access to it. */
export interface Remote {
  /** URL of the repository, such as `http://127.0.0.1:8787/git/local/default/r1.git`. */
  readonly url: string;
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A body of known length: bytes, optionally followed by a stream. */
export interface Body {
  readonly start: string;
  readonly rest?: { readonly stream: Readable; readonly length: number };
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Closes the connections that the client keeps open, so that a server can stop. */
export const closeConnections = (): void => agent.destroy();

/** Posts a body to one of the services of a repository and feeds each chunk of the reply to `take`. */
export const post = async (
  remote: Remote,
  service: 'git-upload-pack' | 'git-receive-pack',
  body: Body,
  take: (chunk: Buffer) => void,
): Promise<void> => {
  const start = Buffer.from(body.start);
  const outgoing = request(`${remote.url}/${service}`, {
    method: 'POST',
    agent,
    headers: {
      ...remote.headers,
      'Content-Type': `application/x-${service}-request`,
      Accept: `application/x-${service}-result`,
      'Content-Length': start.length + (body.rest?.length ?? 0),
      ...(service === 'git-upload-pack' ? { 'Git-Protocol': 'version=2' } : {}),
    },
  });
  const reply = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.on('response', resolve);
    outgoing.on('error', reject);
  });
  outgoing.write(start);
  const sent = body.rest ? pipeline(body.rest.stream, outgoing) : Promise.resolve(outgoing.end());
  // A refusal may arrive while the body is still being sent. The reply says more than the broken pipe.
  sent.catch(() => {});
  let response: IncomingMessage;
  try {
    response = await reply;
  } catch (error) {
    // The server closed an idle connection just before the client reused it, and did not read the request.
    if (!outgoing.reusedSocket || body.rest !== undefined || !isReset(error)) throw error;
    return await post(remote, service, body, take);
  }
  if (response.statusCode !== 200) {
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
    throw new Error(`${service} answered ${response.statusCode}: ${text.slice(0, 500)}`);
  }
  await new Promise<void>((resolve, reject) => {
    response.on('data', (chunk: Buffer) => {
      try {
        take(chunk);
      } catch (error) {
        response.destroy(error instanceof Error ? error : new Error(String(error)));
      }
    });
    response.on('end', resolve);
    response.on('error', reject);
    response.on('close', () => reject(new Error('The reply broke off')));
  });
  await sent;
};

/** Sends a request with a JSON body, if there is one, and returns the body of the reply. Throws for a status from 400 on. */
export const sendJson = (url: string, method: string, token: string, body?: object): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
    };
    const outgoing = request(url, { method, agent, headers });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const { statusCode = 0 } = response;
        if (statusCode < 400) resolve(bytes);
        else reject(new Error(`${method} ${url} answered ${statusCode}: ${bytes.toString().slice(0, 500)}`));
      });
    });
    outgoing.end(text);
  });

const isReset = (error: unknown): boolean =>
  error instanceof Error && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
