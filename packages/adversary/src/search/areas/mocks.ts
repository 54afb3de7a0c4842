import { createMock } from '@packhouse/msw';
import { getResponse } from 'msw';
import { openLocalService } from '../../service/local-service.ts';
import { targetAt, type Send } from '@packhouse/fixtures/hostile';
import type { Area } from '../inputs/area.ts';
import { cutPush } from '../inputs/effort.ts';
import { buildPush, pushFields } from './push.ts';

const baseUrl = 'https://api.example.test';
const many = { requests: 1_000_000_000, seconds: 1 };

/** Sends the same pushes to a mock, which has the portable codec instead of Node's, and a seed. */
export const mocksArea: Area = {
  name: 'mocks',
  fields: { ...pushFields, size: { max: 1_048_576, byMagnitude: true }, count: { max: 500, byMagnitude: true } },
  cut: (values, effort) => cutPush({ ...values, parallel: 1 }, effort),
  open() {
    const mock = createMock({ baseUrl, settings: { rate_rest: many, rate_git: many } });
    const send: Send = async (method, url, headers, body) => {
      const init = { method, headers, ...(body === undefined ? {} : { body: body as Uint8Array<ArrayBuffer> }) };
      const response = await getResponse([...mock.handlers], new Request(url, init));
      if (response === undefined) throw new Error('the mock has no handler');
      return { status: response.status, headers: response.headers, body: new Uint8Array(await response.arrayBuffer()) };
    };
    const target = targetAt(baseUrl, 'a-token', 'local', send);
    return Promise.resolve({
      service: openLocalService(),
      async trial(values) {
        const repo = await target.createRepo();
        const { body } = buildPush(values);
        return { sent: body.length, run: async () => [await repo.push(body), await repo.get('/log?limit=10')] };
      },
    });
  },
};
