import type { Io } from './io.ts';
import { columnsOf } from './columns-of.ts';
import { shown } from './print.ts';

/** What a command that takes long is doing now. */
export interface Progress {
  /** False where nothing is printed: standard error is no terminal. */
  readonly isShown: boolean;
  /** Shows a text in place of the last one. It may be from a service. */
  readonly show: (text: string) => void;
  /** Takes the line off the terminal. Idempotent. */
  readonly end: () => void;
}

/** Milliseconds between two redraws. */
const redrawPause = 100;
/** Seconds before the line says how long the command has been running. */
const secondsHidden = 2;

const silent: Progress = { isShown: false, show: () => undefined, end: () => undefined };

/** Rewrites one line on standard error if that is a terminal which can; `end` must be called in the end. */
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
