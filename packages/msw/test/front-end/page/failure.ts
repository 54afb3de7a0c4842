import { isPlatformError, parseProblem, retryAfterSeconds, retryDelay } from '@packhouse/problem-details';

/** A failed request, with the message for the visitor. */
export class Failure extends Error {
  /** A refused request will be refused again. */
  readonly kind: 'signed out' | 'changed meanwhile' | 'refused' | 'other';
  readonly title: string;
  /** May contain `**strong**` words. */
  readonly advice: string;
  readonly code: string;
  readonly rayId: string;
  /**
   * Returns the milliseconds to wait before a retry, by the number of failed attempts; undefined if waiting does not
   * help.
   */
  readonly delay: (attempt: number) => number | undefined;

  constructor(what: Partial<Failure> & Pick<Failure, 'title' | 'advice'>) {
    super(what.title);
    this.kind = what.kind ?? 'other';
    this.title = what.title;
    this.advice = what.advice;
    this.code = what.code ?? '';
    this.rayId = what.rayId ?? '';
    this.delay = what.delay ?? (() => undefined);
  }
}

/**
 * Returns the failure of a request without a reply. The service may have done its work, so only repeatable requests are
 * retried.
 */
export function noConnection(): Failure {
  return new Failure({
    title: 'No connection',
    advice: '**Check your connection.** Then try again; nothing that you typed is lost.',
  });
}

/** Returns the failure that an unsuccessful response describes. */
export async function readFailure(response: Response): Promise<Failure> {
  const { status, headers } = response;
  const retryAfter = headers.get('retry-after');
  const problem = await parseProblem(response);
  if (isPlatformError(problem)) {
    return new Failure({
      title: problem.title,
      advice: problem.what_you_should_do,
      code: `${problem.error_code}`,
      rayId: problem.ray_id,
      delay: (attempt) => retryDelay(problem, attempt, { retryAfter }),
    });
  }
  const body = (await response.json().catch(() => ({}))) as { errors?: readonly { code: number; message: string }[] };
  const { code = status, message = `The service answered ${status}` } = body.errors?.[0] ?? {};
  const seconds = status === 429 ? retryAfterSeconds(retryAfter, Date.now()) : undefined;
  const kind = kindOf(status);
  return new Failure({
    kind,
    title: message,
    advice: advise(kind, seconds),
    code: `${code}`,
    rayId: headers.get('x-ray-id') ?? headers.get('cf-ray') ?? '',
    delay: (attempt) => (seconds !== undefined && attempt < 5 ? seconds * 1000 : undefined),
  });
}

function kindOf(status: number): Failure['kind'] {
  if (status === 401) return 'signed out';
  if (status === 412) return 'changed meanwhile';
  return status === 429 || status >= 500 ? 'other' : 'refused';
}

function advise(kind: Failure['kind'], seconds: number | undefined): string {
  if (seconds !== undefined) return '**Wait.** You asked for too much in a short time.';
  return kind === 'refused' ? 'The service refused this.' : 'The service could not do this. **Try again** later.';
}
