import { hasAt } from './has-at.ts';
import type { MediaType } from './media-type.ts';
import { isHeavier, isZero, placeOf, type Weight } from './weight.ts';
import { WeightedList } from './weighted-list.ts';

/** All ranges that matter, in lower case. */
const knownRanges = [
  '*/*',
  'text/*',
  'text/html',
  'text/markdown',
  'application/*',
  'application/json',
  'application/xhtml+xml',
  'application/problem+json',
] as const;

const rangeAt = (text: string, start: number, end: number): (typeof knownRanges)[number] | undefined => {
  for (const range of knownRanges) if (range.length === end - start && hasAt(text, start, range)) return range;
  return undefined;
};

/** Merges the weights of a repeated range: the greater one, or the first of equal ones. */
const greater = (text: string, known: Weight | undefined, weight: Weight): Weight =>
  known === undefined || isHeavier(text, weight, known) ? weight : known;

/** Tests if a weight is greater than another one, or equal and earlier (NEG-006). */
const wins = (text: string, weight: Weight, other: Weight): boolean =>
  placeOf(weight) < placeOf(other) ? !isHeavier(text, other, weight) : isHeavier(text, weight, other);

/**
 * Chooses the format of an error response by the `Accept` header of a request (NEG-001 to NEG-009).
 *
 * Takes linear time, and reads only the first 8,192 characters and 64 elements (ERR-151). Never throws: it skips
 * malformed elements, and falls back to HTML, never to 406.
 *
 * @param accept value of the header, with several lines joined by commas as in `Headers.get`. Null, undefined and
 * values that are not strings count as absent.
 */
export const negotiate = (accept: string | null | undefined): MediaType => {
  let winner: MediaType = 'text/html';
  if (typeof accept !== 'string') return winner;
  // The weight of each range in the header. Even weight 0 counts, since it excludes the type from wider ranges.
  let html: Weight | undefined;
  let xhtml: Weight | undefined;
  let json: Weight | undefined;
  let problem: Weight | undefined;
  let markdown: Weight | undefined;
  let anyText: Weight | undefined;
  let anyApplication: Weight | undefined;
  let anything: Weight | undefined;
  const list = new WeightedList(accept);
  while (list.next()) {
    const { weight } = list;
    switch (rangeAt(accept, list.start, list.end)) {
      case 'text/html':
        html = greater(accept, html, weight);
        break;
      case 'application/xhtml+xml':
        xhtml = greater(accept, xhtml, weight);
        break;
      case 'application/json':
        json = greater(accept, json, weight);
        break;
      case 'application/problem+json':
        problem = greater(accept, problem, weight);
        break;
      case 'text/markdown':
        markdown = greater(accept, markdown, weight);
        break;
      case 'text/*':
        anyText = greater(accept, anyText, weight);
        break;
      case 'application/*':
        anyApplication = greater(accept, anyApplication, weight);
        break;
      case '*/*':
        anything = greater(accept, anything, weight);
        break;
      case undefined:
    }
  }
  let winning: Weight | undefined;
  const consider = (weight: Weight | undefined, type: MediaType): void => {
    if (weight === undefined || isZero(accept, weight)) return;
    if (winning !== undefined && !wins(accept, weight, winning)) return;
    winning = weight;
    winner = type;
  };
  consider(html, 'text/html');
  consider(xhtml, 'text/html');
  consider(json, 'application/json');
  consider(problem, 'application/problem+json');
  consider(markdown, 'text/markdown');
  if (markdown === undefined) consider(anyText, 'text/markdown');
  else if (html === undefined) consider(anyText, 'text/html');
  if (json === undefined) consider(anyApplication, 'application/json');
  else if (problem === undefined) consider(anyApplication, 'application/problem+json');
  if ((html ?? anyText) === undefined) consider(anything, 'text/html');
  else if ((json ?? anyApplication) === undefined) consider(anything, 'application/json');
  else if ((markdown ?? anyText) === undefined) consider(anything, 'text/markdown');
  return winner;
};
