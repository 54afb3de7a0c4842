import { shown } from '@packhouse/command';

/**
 * Replaces characters that could rewrite a terminal or reverse other text. Keeps the lines of the text, but a carriage
 * return ends none.
 */
export function visibleLines(text: string): string {
  return text.toWellFormed().split('\n').map(visible).join('\n');
}

/** Returns a text as one line. */
export function oneLine(text: string): string {
  return visible(text.toWellFormed().replaceAll(/\s*\n\s*/g, ' '));
}

/** Also replaces what some readers take for the end of a line. */
function visible(text: string): string {
  return shown(text.replaceAll(/[\u2028\u2029]/g, '\uFFFD'));
}

/** Cuts a text after some lines and characters, and says how much is missing. */
export function cutLines(text: string, lines: number, characters: number): string {
  const all = text.replace(/\n+$/, '').split('\n');
  const kept = all.slice(0, lines).join('\n');
  if (kept.length > characters)
    return `${kept.slice(0, characters)}\n... (${text.length - characters} characters more)`;
  return all.length > lines ? `${kept}\n... (${all.length - lines} lines more)` : kept;
}
