import { RemoteError, type RemoteErrorCode } from '@packhouse/git';
import { expect, it } from 'vitest';
import { importError } from './import-error.ts';

const invalid = [400, 10104, 'url must be an HTTPS git remote URL (e.g. https://github.com/owner/repo)', '/url'];
const unavailable = [502, 10401, 'The upstream service is unavailable. Please retry.', undefined];
const said = (status: number) =>
  `Repository "https://a/x.git" requires authentication (HTTP ${status}). Only public repositories can be imported.`;

it.each<[RemoteErrorCode, number | undefined, readonly unknown[]]>([
  ['authentication', 401, [422, 10106, said(401), '/url']],
  ['authentication', 403, [422, 10106, said(403), '/url']],
  ['not found', 404, [404, 10200, 'Remote repository not found', undefined]],
  ['branch missing', undefined, [404, 10200, 'Remote branch not found', undefined]],
  ['not a remote', 200, invalid],
  ['object format', undefined, invalid],
  ['redirected', 302, invalid],
  ['too large', undefined, [413, 10402, 'The repository exceeds the import limits', undefined]],
  ['cancelled', undefined, [404, 10200, 'Repository not found', undefined]],
  ['unreachable', undefined, unavailable],
  ['failing', 503, unavailable],
  ['stalled', undefined, unavailable],
  ['timed out', undefined, unavailable],
  ['broken off', undefined, unavailable],
  ['malformed', undefined, unavailable],
  ['refused', undefined, unavailable],
  ['bad pack', undefined, unavailable],
])('REPO-126 to REPO-129: maps the remote error %s (%s) to the client error', (code, status, told) => {
  const details = status === undefined ? {} : { status };
  const error = importError(new RemoteError(code, 'inner text', details), 'https://a/x.git');
  const [item] = error.items;
  expect([error.status, item.code, item.message, item.pointer]).toEqual(told);
});
