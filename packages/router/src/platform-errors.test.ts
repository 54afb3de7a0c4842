import { neutral, type Hosting } from '@packhouse/hosting';
import { describe, expect, it } from 'vitest';
import { failureRecord, type LogRecord } from '@packhouse/base';
import { errorArea, isIncident } from './platform-errors.ts';

it('ERR-119: logs a failing step with the id of the reply, and still sends a reply', async () => {
  const log: LogRecord[] = [];
  const settings = {
    public_url: 'https://docs.test',
    docs_base: 'https://docs.test',
    site: 'XYZ',
    error_route: true,
  } as Hosting['settings'];
  const clock = {
    now: (): number => {
      throw new Error('no time in /srv/clock');
    },
  };
  const area = errorArea({ clock, dialect: neutral, settings } as Hosting, (error, requestId) =>
    log.push(failureRecord(error, requestId)),
  );
  const response = await area.route(new Request('http://shop.example/cdn-cgi/error/500'), '/cdn-cgi/error/500');
  expect(response?.status).toBe(500);
  expect(log).toEqual([
    {
      event: 'failure',
      request_id: response?.headers.get('x-ray-id'),
      error: 'Fallback',
      code: 'clock',
      message: 'no time in <path>',
    },
  ]);
  expect(area.rayIdOf(response as Response)).toMatch(/^[0-9a-f]{16}-XYZ$/);
});

describe('ERR-099, TAG-055, REPO-128: isIncident', () => {
  it.each([
    [500, 'GET', '/v4/accounts', true],
    [500, 'GET', '/cdn-cgi/error/../../v4/accounts', true],
    [500, 'GET', '/cdn-cgi/errors', true],
    [499, 'GET', '/v4/accounts', false],
    [522, 'POST', '/cdn-cgi/error/522', false],
    [522, 'GET', '/x/../cdn-cgi/./error/522', false],
    [500, 'GET', '//[', true],
    [500, 'POST', '/git/local/cdn-cgi/error/git-receive-pack', true],
    [500, 'GET', '/v4/accounts/a1/tags', false],
    [500, 'HEAD', '/client/v4/zones/z1/tags', false],
    [500, 'PUT', '/v4/accounts/a1/tags', true],
    [500, 'DELETE', '/v4/zones/z1/tags', true],
    [503, 'GET', '/v4/accounts/a1/tags', true],
    [500, 'GET', '/v4/accounts/a1/tags/keys', true],
    [502, 'POST', '/v4/accounts/a1/repos/namespaces/n/repos/x/import', false],
    [500, 'POST', '/v4/accounts/a1/repos/namespaces/n/repos/x/import', true],
    [502, 'POST', '/v4/accounts/a1/repos/namespaces/n/repos/import', true],
  ])('given status %i of %s %s, returns %s', (status, method, path, incident) => {
    expect(isIncident({ method, path, status })).toBe(incident);
    expect(isIncident({ method, path: `/a/b${path}`, status }, 'https://x.example/a/b')).toBe(incident);
  });
});
