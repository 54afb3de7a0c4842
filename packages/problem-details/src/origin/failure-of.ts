import { failureOfCode } from './failure-of-code.ts';
import { type OriginFailure, originFailures } from './failure.ts';

/** Maximum depth of causes, and number of errors in each. */
const depthMax = 8;
const errorsMax = 32;

/** Maps an error of `fetch` to a code (ERR-132 to ERR-140), by the details that each runtime gives; otherwise 502. */
export function failureOf(thrown: unknown): OriginFailure {
  return find(thrown, 0) ?? 502;
}

function find(thrown: unknown, depth: number): OriginFailure | undefined {
  if (typeof thrown !== 'object' || thrown === null || depth > depthMax) return undefined;
  const { errors, message, cause } = thrown as Readonly<Record<string, unknown>>;
  if (Array.isArray(errors)) {
    // Node reports one error per address. The code of the whole is that of the first one.
    const found = new Set(errors.slice(0, errorsMax).map((error) => find(error, depth + 1)));
    const furthest = originFailures.find((failure) => found.has(failure));
    if (furthest !== undefined) return furthest;
  }
  const told = failureOfCode(thrown) ?? (typeof message === 'string' ? failureOfMessage(message) : undefined);
  return told ?? find(cause, depth + 1);
}

/** Error numbers of Linux, macOS and Windows. None has another socket error's meaning on another system. */
const byNumber = new Map<number, OriginFailure>(
  (
    [
      [521, [111, 61, 10_061]],
      [522, [110, 60, 10_060]],
      [523, [100, 101, 112, 113, 50, 51, 64, 65, 10_050, 10_051, 10_064, 10_065]],
      [520, [32, 103, 104, 53, 54, 10_053, 10_054]],
    ] as const
  ).flatMap(([failure, numbers]) => numbers.map((number) => [number, failure] as const)),
);

/**
 * Maps an error of Deno, which has only a message: `<what> for url (<url>): client error (<step>): <why>`, or the error
 * of the system. A URL contains no spaces, so it cannot look like the rest.
 */
function failureOfMessage(message: string): OriginFailure | undefined {
  const [, step, why = ''] = /: client error \((\w+)\): ([^]*)$/.exec(message) ?? [];
  const number = Number(/ \(os error (\d{1,5})\)$/.exec(message)?.[1]);
  if (step === undefined) return byNumber.get(number) === 520 ? 520 : undefined;
  if (step !== 'Connect') return whileSending(why, number);
  if (why.startsWith('dns error')) return 1016;
  if (why.startsWith('tcp connect error')) return byNumber.get(number);
  if (why.startsWith('invalid peer certificate')) return 526;
  // Between connection and request: the handshake, in the words of rustls.
  const isHandshake = /^(?:received |peer |tls |no certificates|cannot decrypt|Connection reset)/.test(why);
  return isHandshake || byNumber.get(number) === 520 ? 525 : undefined;
}

/** Maps failures while sending, in the words of hyper. */
function whileSending(why: string, number: number): OriginFailure | undefined {
  const isReply = /^(?:connection closed before|connection error|invalid HTTP|message head is too large|http2 error)/;
  return isReply.test(why) || byNumber.has(number) ? 520 : undefined;
}
