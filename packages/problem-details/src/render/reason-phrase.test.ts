import { STATUS_CODES } from 'node:http';
import { expect, it } from 'vitest';
import { reasonPhrase } from './reason-phrase.ts';

/** Renamed by RFC 9110 (413, 422), unassigned (418) or historic (509, 510). */
const differing = new Set([413, 418, 422, 509, 510]);

it("ERR-100: the reason phrases are those of Node's table, except those that RFC 9110 renamed", () => {
  for (let status = 400; status <= 599; status += 1) {
    const known = differing.has(status) ? undefined : STATUS_CODES[status];
    if (known !== undefined) expect(reasonPhrase(status)).toBe(known);
  }
  expect(reasonPhrase(413)).toBe('Content Too Large');
  expect(reasonPhrase(422)).toBe('Unprocessable Content');
});

it('ERR-100: an unregistered status has the phrase of its class', () => {
  expect(reasonPhrase(499)).toBe('Bad Request');
  expect(reasonPhrase(530)).toBe('Internal Server Error');
});
