import type { CoveredDocument } from './elsewhere.ts';

const folder = 'packages/problem-details/';

/** Test files by requirement, below the package `problem-details`, in groups of one reason. */
const groups: readonly { readonly why: string; readonly shown: Readonly<Record<string, string>> }[] = [
  {
    why: 'no setting of the service has Custom Error Rules or Error Pages',
    shown: {
      'ERR-008': 'test/response/dialect-boxes.test.ts',
      'ERR-101': 'test/custom/condition.test.ts',
      'ERR-102': 'src/custom/header-condition.test.ts',
      'ERR-103': 'test/custom/condition.test.ts',
      'ERR-104': 'test/custom/custom-errors.test.ts',
      'ERR-105': 'src/custom/read-rule.test.ts',
      'ERR-106': 'src/custom/read-rule.test.ts',
      'ERR-107': 'test/response/priority.test.ts',
      'ERR-108': 'src/custom/read-rule.test.ts',
      'ERR-109': 'src/custom/template.test.ts',
      'ERR-110': 'src/custom/template.test.ts',
      'ERR-111': 'test/response/priority.test.ts',
      'ERR-112': 'test/custom/custom-errors.test.ts',
      'ERR-113': 'test/response/priority.test.ts',
      'ERR-114': 'test/response/priority.test.ts',
      'ERR-115': 'src/custom/box.test.ts',
      'ERR-116': 'test/custom/custom-errors.test.ts',
      'ERR-117': 'test/response/priority.test.ts',
      'ERR-155': 'src/custom/read-rule.test.ts',
      'ERR-156': 'test/custom/custom-errors.test.ts',
      'ERR-157': 'src/custom/read-rule.test.ts',
    },
  },
  {
    why: 'it takes a browser to look at a page',
    shown: { 'ERR-069': 'test/page/views.browser.test.ts' },
  },
  {
    why: 'the error route has no seconds to wait but those of the catalogue',
    shown: {
      'ERR-082': 'test/response/retry-after.test.ts',
      'ERR-084': 'src/problem/retry-after.test.ts',
      'ERR-152': 'src/problem/retry-after.test.ts',
    },
  },
  {
    why: 'something has to fail that no request makes fail',
    shown: { 'ERR-119': 'test/response/fallback.test.ts' },
  },
  {
    why: 'it takes an app with the middleware in it, here on Node, Deno, Bun and workerd',
    shown: {
      'ERR-120': 'test/middleware/suite.ts',
      'ERR-121': 'test/middleware/cases/thrown.ts',
      'ERR-122': 'test/middleware/cases/thrown.ts',
      'ERR-123': 'test/middleware/cases/thrown.ts',
      'ERR-124': 'test/middleware/cases/thrown.ts',
      'ERR-125': 'test/middleware/suite.ts',
      'ERR-127': 'test/middleware/cases/bodies.ts',
      'ERR-128': 'test/middleware/suite.ts',
      'ERR-129': 'test/middleware/cases/hono.ts',
      'ERR-130': 'test/middleware/cases/bodies.ts',
      'ERR-131': 'test/middleware/cases/nesting.ts',
    },
  },
  {
    why: 'the service fetches from no origin',
    shown: {
      'ERR-132': 'src/origin/failure-of.test.ts',
      'ERR-133': 'src/origin/failure-of.test.ts',
      'ERR-134': 'src/origin/fetch-origin.test.ts',
      'ERR-135': 'src/origin/failure-of.test.ts',
      'ERR-136': 'src/origin/fetch-origin.test.ts',
      'ERR-137': 'src/origin/failure-of.test.ts',
      'ERR-138': 'src/origin/failure-of.test.ts',
      'ERR-139': 'src/origin/failure-of.test.ts',
      'ERR-140': 'src/origin/failure-of.test.ts',
      'ERR-158': 'src/origin/fetch-origin.test.ts',
      'ERR-159': 'src/origin/fetch-origin.test.ts',
    },
  },
  {
    why: 'they are interfaces of the package',
    shown: {
      'ERR-141': 'test/response/respond.test.ts',
      'ERR-142': 'test/catalogue/catalogue.test.ts',
      'ERR-143': 'test/catalogue/catalogue.test.ts',
      'ERR-144': 'test/catalogue/catalogue.test.ts',
      'ERR-145': 'test/response/answer.test.ts',
      'ERR-146': 'test/catalogue/catalogue.test.ts',
      'ERR-147': 'test/catalogue/localise.test.ts',
      'ERR-148': 'test/negotiation/choose-language.test.ts',
      'ERR-150': 'test/catalogue/localise.test.ts',
    },
  },
];

export const errors: CoveredDocument = {
  document: 'docs/specification/errors.md',
  areas: ['ERR', 'NEG'],
  count: 216,
  elsewhere: [
    ...groups.flatMap(({ why, shown }) =>
      Object.entries(shown).map(([id, file]) => ({ id, why, file: folder + file })),
    ),
    {
      inPart: true,
      id: 'ERR-074',
      why: 'no other part of the service sets Vary',
      file: `${folder}test/response/headers.test.ts`,
    },
    {
      inPart: true,
      id: 'ERR-098',
      why: 'no setting of the service has Custom Error Rules or Error Pages',
      file: `${folder}test/response/error-route.test.ts`,
    },
    {
      inPart: true,
      id: 'ERR-099',
      why: 'it takes an app with its own limiter',
      file: `${folder}src/hono/serve-error-route.test.ts`,
    },
    {
      inPart: true,
      id: 'ERR-099',
      why: 'a log of incidents is not seen from outside',
      file: 'packages/router/src/service.test.ts',
    },
  ],
};
