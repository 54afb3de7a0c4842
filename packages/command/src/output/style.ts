import { styleText } from 'node:util';
import type { Io } from './io.ts';

/** Applies one of the styles to a text, or returns the text unchanged. */
export type Style = (format: 'bold' | 'red' | 'green' | 'cyan', text: string) => string;

/** The style for a pipe or a file. */
export const plain: Style = (_, text) => text;

/**
 * Chooses the style for a stream by the usual rules: colour on a terminal, unless `NO_COLOR` is set or `TERM` is
 * `dumb`. `FORCE_COLOR` overrides these, as in Node: `0` and `false` mean no colour, other values mean colour.
 */
export function styleOf({ env }: Pick<Io, 'env'>, isTerminal: boolean): Style {
  const { FORCE_COLOR: forced, NO_COLOR: unwanted = '', TERM: terminal } = env;
  const hasColour =
    forced === undefined ? isTerminal && unwanted === '' && terminal !== 'dumb' : forced !== '0' && forced !== 'false';
  return hasColour ? (format, text) => styleText(format, text, { validateStream: false }) : plain;
}

/** The abilities of standard output. */
export interface Screen {
  readonly style: Style;
  /** The width of the terminal; undefined for a pipe or a file. */
  readonly columns: number | undefined;
}

export function screenOf(io: Pick<Io, 'env' | 'outIsTerminal' | 'columns'>): Screen {
  return { style: styleOf(io, io.outIsTerminal), columns: io.outIsTerminal ? io.columns : undefined };
}
