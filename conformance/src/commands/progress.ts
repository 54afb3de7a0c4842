import type { Io } from '@packhouse/command';
import type { CaseResult } from '../report/report.ts';
import { resultLine } from '../report/text.ts';

/** Shows progress: on a terminal one line that is overwritten, elsewhere one line per case. */
export function progress(total: number, io: Io): (result: CaseResult) => void {
  let ended = 0;
  let bad = 0;
  return (result) => {
    ended += 1;
    if (result.failure !== null) bad += 1;
    if (!io.errIsTerminal) io.err(`${resultLine(result)}\n`);
    else io.err(`${clear(io)}${ended}/${total}${bad === 0 ? '' : `, ${bad} not passed`}  ${result.id}`);
  };
}

/**
 * Reports how long a wait without output takes. Cases that wait for the same reason at the same time report it once.
 */
export function waits(io: Io): (milliseconds: number) => void {
  let until = 0;
  return (milliseconds) => {
    const now = performance.now();
    if (milliseconds < 1000 || now < until) return;
    until = now + milliseconds;
    io.err(`${clear(io)}waiting ${Math.ceil(milliseconds / 1000)} s for the rate of the service\n`);
  };
}

/** Returns the text that clears the line of the progress. */
export function clear(io: Io): string {
  return io.errIsTerminal ? '\r\x1b[2K' : '';
}
