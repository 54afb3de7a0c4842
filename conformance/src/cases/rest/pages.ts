import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import { entries } from '../errors/catalogue-entries.ts';

export const pages: Suite = suite({
  id: 'rest/pages/openapi-error-route',
  requirements: ['REPO-215'],
  level: 'SHOULD',
  beyond: true,
  explanation: 'The OpenAPI document has the error route, with each status of a code, where the route is served.',
  run: async (t) => {
    const reply = await t.fetch(`${t.origin}/openapi.json`);
    const text = await reply.text();
    if (reply.status === 404) t.unsupported('/openapi.json is answered 404: it is switched off');
    const shown = await t.fetch(`${t.origin}/cdn-cgi/error/1015`);
    await shown.arrayBuffer();
    if (shown.status === 404) t.unsupported('/cdn-cgi/error/1015 is answered 404: it is switched off');
    const operation = JSON.parse(text).paths['/cdn-cgi/error/{code}']?.get;
    assert.ok(operation !== undefined, 'expected a GET of /cdn-cgi/error/{code}');
    const statuses = new Set(entries.map(({ http_status }) => String(http_status)));
    assert.deepEqual(
      [...statuses].filter((status) => operation.responses[status] === undefined),
      [],
      'expected each status',
    );
  },
});
