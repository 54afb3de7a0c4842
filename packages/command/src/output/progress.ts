import type { Io } from './io.ts';
import { columnsOf } from './columns-of.ts';
import { shown } from './print.ts';

/** The progress line of a long command. */
export interface Progress {
  /** False if nothing is printed because standard error is not a terminal. */
  readonly isShown: boolean;
  /** Replaces the last text. The text may come from a service. */
  readonly show: (text: string) => void;
  /** Removes the line from the terminal. Idempotent. */
  readonly end: () => void;
}

/** Milliseconds between two redraws. */
const redrawPause = 100;
/** Seconds before the line shows how long the command has been running. */
const secondsHidden = 2;

const silent: Progress = { isShown: false, show: () => undefined, end: () => undefined };

/**
 * Starts a progress line on standard error if that is a terminal which can overwrite lines. The caller must call `end`.
 */
export function startProgress(io: Pick<Io, 'err' | 'errIsTerminal' | 'columns' | 'env'>): Progress {
  if (!io.errIsTerminal || io.env['TERM'] === 'dumb') return silent;
  const began = Date.now();
  let text = '';
  let drawn = '';
  let drawnAt = 0;
  const draw = (): void => {
    const seconds = Math.floor((Date.now() - began) / 1000);
    const line = cut(seconds < secondsHidden ? text : `${text} (${seconds} s)`, (io.columns ?? 80) - 1);
    if (text === '' || line === drawn) return;
    io.err(`\r${line}\x1b[K`);
    drawn = line;
    drawnAt = Date.now();
  };
  const timer = setInterval(draw, redrawPause);
  return {
    isShown: true,
    show(next) {
      text = shown(next);
      if (Date.now() - drawnAt >= redrawPause) draw();
    },
    end() {
      clearInterval(timer);
      if (drawn !== '') io.err('\r\x1b[K');
      drawn = '';
    },
  };
}

function cut(text: string, columns: number): string {
  let line = '';
  for (const character of text) {
    if (columnsOf(line + character) > columns) break;
    line += character;
  }
  return line;
}
