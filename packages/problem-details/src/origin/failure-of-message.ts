import type { OriginFailure } from './failure.ts';

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
export function failureOfMessage(message: string): OriginFailure | undefined {
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
