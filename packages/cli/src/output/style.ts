import { styleText } from 'node:util';
import type { Io } from './io.ts';

/** Gives a text one of the styles in use, or returns it as it is. */
export type Style = (format: 'bold' | 'red' | 'green' | 'cyan', text: string) => string;

/** The style of a pipe or a file. */
export const plain: Style = (_, text) => text;

/**
 * Chooses the style for a stream by the usual rules: colour on a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
 * `FORCE_COLOR` overrides all of that, as in Node: `0` and `false` mean no colour, other values mean colour.
 */
export function styleOf({ env }: Pick<Io, 'env'>, isTerminal: boolean): Style {
  const { FORCE_COLOR: forced, NO_COLOR: unwanted = '', TERM: terminal } = env;
  const hasColour =
    forced === undefined ? isTerminal && unwanted === '' && terminal !== 'dumb' : forced !== '0' && forced !== 'false';
  return hasColour ? (format, text) => styleText(format, text, { validateStream: false }) : plain;
}

/** What standard output can show. */
export interface Screen {
  readonly style: Style;
  /** The width of the terminal; undefined for a pipe or a file. */
  readonly columns: number | undefined;
}

export function screenOf(io: Pick<Io, 'env' | 'outIsTerminal' | 'columns'>): Screen {
  return { style: styleOf(io, io.outIsTerminal), columns: io.outIsTerminal ? io.columns : undefined };
}
