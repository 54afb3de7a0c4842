import { startProgress, type Io } from '@packhouse/command';
import type { Case } from '../core/case.ts';
import type { CaseResult } from '../report/report.ts';
import { resultLine } from '../forms/text.ts';
import { remainingTime, roughly } from '../run/remaining-time.ts';

/** The progress of a run on standard error: on a terminal one line that is overwritten, elsewhere a line for each case. */
export interface RunProgress {
  readonly ended: (result: CaseResult) => void;
  /** Called with the milliseconds when a case waits for the rate of the service. */
  readonly waits: (milliseconds: number) => void;
  /** Writes a line that stays. */
  readonly say: (line: string) => void;
  /** Removes the line from the terminal. */
  readonly end: () => void;
}

export function runProgress(cases: readonly Case[], io: Io): RunProgress {
  const began = performance.now();
  const time = remainingTime(cases);
  const line = startProgress(io);
  let count = 0;
  let failures = 0;
  let waitsUntil = 0;
  const say = (text: string): void => {
    // The line is drawn again with the next case.
    io.err(line.isShown ? `\r\x1b[K${text}\n` : `${text}\n`);
  };
  return {
    say,
    end: line.end,
    ended(result) {
      count += 1;
      if (result.failure !== null) failures += 1;
      time.ended(result.id, result.milliseconds);
      if (!line.isShown) return io.err(`${resultLine(result)}\n`);
      const left = time.left(performance.now() - began);
      const parts = [
        `${count} of ${cases.length}`,
        ...(failures === 0 ? [] : [`${failures} failed`]),
        ...(left === undefined || left === 0 ? [] : [`${roughly(left)} left`]),
      ];
      line.show(`${parts.join(', ')}: ${result.id}`);
    },
    // Cases that wait for the same reason at the same time report it once.
    waits(milliseconds) {
      const now = performance.now();
      if (milliseconds < 1000 || now < waitsUntil) return;
      waitsUntil = now + milliseconds;
      say(`waiting ${Math.ceil(milliseconds / 1000)} s for the rate of the service`);
    },
  };
}
