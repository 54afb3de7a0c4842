import type { CoveredDocument } from './elsewhere.ts';

export const tags: CoveredDocument = {
  document: 'docs/specification/tagging.md',
  areas: ['TAG'],
  count: 183,
  elsewhere: [
    {
      id: 'TAG-020',
      why: 'only an app that mounts tagging accepts other credentials',
      file: 'packages/tagging/src/http/standalone.test.ts',
    },
    {
      id: 'TAG-092',
      why: 'clients do not see the steps that a query costs',
      file: 'packages/tag-filter/src/wire/parse-tag-filters.test.ts',
    },

    {
      inPart: true,
      id: 'TAG-053',
      why: 'only a test stops the clock',
      file: 'packages/tagging/src/contract/tag-store.ts',
    },
    {
      inPart: true,
      id: 'TAG-054',
      why: 'only apps give directories to other types than the built-in ones',
      file: 'packages/tagging/src/resources/set-tags.test.ts',
    },
    {
      inPart: true,
      id: 'TAG-069',
      why: 'a host reports new names over the port',
      file: 'packages/tagging/src/resources/host-notices.test.ts',
    },
    { inPart: true, id: 'TAG-080', why: '24 hours are too long', file: 'packages/tagging/src/contract/tag-store.ts' },
    {
      inPart: true,
      id: 'TAG-080',
      why: 'a server is started again',
      file: 'packages/server/test/tags/open-service.test.ts',
    },
    {
      inPart: true,
      id: 'TAG-080',
      why: 'workerd is started again',
      file: 'packages/workers/test/tags.runtimes.test.ts',
    },
    {
      inPart: true,
      id: 'TAG-142',
      why: 'an account is above its limit only after that was lowered',
      file: 'packages/tagging/src/contract/tag-store.ts',
    },
    {
      inPart: true,
      id: 'TAG-170',
      why: 'no request fills a disk',
      file: 'packages/router/src/tags/requests.test.ts',
    },
    {
      inPart: true,
      id: 'TAG-171',
      why: 'it takes several processes at one database',
      file: 'packages/server/test/tags/simultaneous.long.test.ts',
    },
  ],
};
