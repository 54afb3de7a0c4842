import { waitUntil } from 'cloudflare:workers';
import { replyEnd } from '@packhouse/git';
import { isIncident, type Faces } from '@packhouse/router';
import { ConfigurationError } from '../environment/configuration.ts';
import type { Environment } from '../environment/environment.ts';
import { drainSmallBody, watchedRequest } from '../request/body.ts';
import { writeLog } from '../request/log.ts';
import { newUsage, usageFields, withinScope, type RequestScope } from '../request/usage.ts';
import { isolateService } from './open-service.ts';

/** Answers one request. Never rejects. */
export async function serve(request: Request, environment: Environment): Promise<Response> {
  const started = Date.now();
  // The `Host` was malformed (RFC 9112, section 3.2). The edge refuses such requests itself.
  if (!URL.canParse(request.url)) return new Response('Malformed Host header', { status: 400 });
  if (environment.LOG_BEGIN === true) writeLog('info', { event: 'begin' });
  let service: Faces;
  try {
    service = isolateService(environment);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    writeLog('error', { event: 'configuration', message: error.message });
    return new Response('The service is not configured. The log of the Worker says what is wrong.', { status: 500 });
  }
  const scope: RequestScope = { usage: newUsage() };
  const watched = watchedRequest(request, () => {
    scope.left = true;
  });
  const response = await withinScope(scope, async () => service.fetch(watched));
  const answered = scope.usage.overloaded > 0 && response.status === 500 ? tryLater(response) : response;
  if (answered.status >= 400) await drainSmallBody(watched);
  return whenSent(answered, () => logRequest(scope, service.settings.public_url, answered.status, started));
}

function logRequest(
  { record, usage, sentUsage, left }: RequestScope,
  publicUrl: string,
  answered: number,
  started: number,
): void {
  if (record === undefined) return;
  const status = left === true ? 0 : answered;
  const ms = Date.now() - started;
  writeLog(isIncident({ ...record, status }, publicUrl) ? 'error' : 'info', {
    ...record,
    status,
    ms,
    ...(left === true ? { whole: false } : {}),
    ...usageFields(sentUsage ?? usage),
  });
}

/** Turns a reply into 503 with Retry-After. `git` does not retry by itself, but other clients do. */
function tryLater(response: Response): Response {
  const later = new Response(response.body, { status: 503, headers: response.headers });
  later.headers.set('retry-after', '1');
  return later;
}

/**
 * Calls `sent` when the client has the whole reply, or has left. A Git reply without a known end passes through a pair
 * of native streams, which adds no JavaScript to its path.
 */
function whenSent(response: Response, sent: () => void): Response {
  const end = response.body === null ? undefined : replyEnd(response.body);
  if (end !== undefined) {
    waitUntil(end.then(sent));
    return response;
  }
  const streams = /^application\/x-git-.*-result$/.test(response.headers.get('content-type') ?? '');
  if (!streams || response.body === null) {
    sent();
    return response;
  }
  const { readable, writable } = new IdentityTransformStream();
  waitUntil(
    response.body
      .pipeTo(writable)
      .catch(() => {})
      .then(sent),
  );
  return new Response(readable, response);
}
