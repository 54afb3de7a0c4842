import { suite, type Suite } from '../../../core/case.ts';
import { assertRefused, assertSuccess, badField, failures } from '../../../steps/replies.ts';
import { only, tightSettings } from '../../../steps/settings.ts';

/** A request with one invalid field, and its error message. */
type Bad = readonly [query: string, field: string, message: string];

const integerTexts = (field: string, max: number): readonly Bad[] => [
  [`${field}=0`, field, 'Too small: expected number to be >=1'],
  [`${field}=-5`, field, 'Too small: expected number to be >=1'],
  [`${field}=${max + 1}`, field, `Too big: expected number to be <=${max}`],
  [`${field}=many`, field, 'Invalid input: expected number, received NaN'],
  [`${field}=1.5`, field, 'Invalid input: expected number, received NaN'],
  [`${field}=1x`, field, 'Invalid input: expected number, received NaN'],
  [`${field}=`, field, 'Invalid input: expected number, received NaN'],
];

const pageTexts: readonly Bad[] = [
  ['page=0', 'page', 'Too small: expected number to be >=1'],
  ['page=-1', 'page', 'Too small: expected number to be >=1'],
  ['page=x', 'page', 'Invalid input: expected number, received NaN'],
  ['page=1.5', 'page', 'Invalid input: expected number, received NaN'],
];

export const fieldTexts: Suite = suite(
  {
    id: 'rest/field-texts/queries',
    requirements: [
      'LIM-002',
      'LIM-003',
      'LIM-016',
      'LIM-017',
      'REPO-048',
      'REPO-090',
      'REPO-095',
      'REPO-114',
      'TOKEN-010',
    ],
    level: 'MUST',
    explanation: 'A bad parameter of a list is told in the text of its form, with a pointer to it.',
    run: async (t) => {
      const { namespace, name } = await t.createRepo();
      const sort = 'Invalid option: expected one of "created_at"|"updated_at"|"last_push_at"|"name"';
      const state = 'Invalid option: expected one of "active"|"expired"|"revoked"|"all"';
      const lists: readonly (readonly [path: string, bad: readonly Bad[]])[] = [
        ['/namespaces', [...integerTexts('limit', 200), ...pageTexts]],
        [
          `/namespaces/${namespace}/repos`,
          [
            ...integerTexts('limit', 200),
            ...pageTexts,
            ['sort=size', 'sort', sort],
            ['sort=NAME', 'sort', sort],
            ['sort=', 'sort', sort],
            ['direction=up', 'direction', 'Invalid option: expected one of "asc"|"desc"'],
            [`search=${'x'.repeat(513)}`, 'search', 'Too big: expected string to have <=512 characters'],
            [`search=${'%F0%9F%98%80'.repeat(513)}`, 'search', 'Too big: expected string to have <=512 characters'],
          ],
        ],
        [
          `/namespaces/${namespace}/repos/${name}/tokens`,
          [
            ...integerTexts('per_page', 100),
            ...pageTexts,
            ['state=x', 'state', state],
            ['state=Active', 'state', state],
          ],
        ],
      ];
      for (const [path, bad] of lists) {
        for (const [query, field, message] of bad) {
          await assertRefused(t, ['GET', `${path}?${query}`], badField(field, message));
        }
      }
      const longest = await t.rest('GET', `/namespaces/${namespace}/repos?search=${'%F0%9F%98%80'.repeat(512)}`);
      assertSuccess(longest, 200, 'a search of 512 characters');
      for (const query of ['limit=1', 'limit=200', 'page=1', 'page=9007199254740991']) {
        assertSuccess(
          await t.rest('GET', `/namespaces/${namespace}/repos?${query}`),
          200,
          `a list of repos with ${query}`,
        );
      }
      for (const query of ['per_page=1', 'per_page=100']) {
        const path = `/namespaces/${namespace}/repos/${name}/tokens?${query}`;
        assertSuccess(await t.rest('GET', path), 200, `a list of tokens with ${query}`);
      }
    },
  },
  {
    id: 'rest/field-texts/bodies',
    requirements: ['LIM-007', 'REPO-048', 'REPO-061', 'REPO-100', 'REPO-110', 'TOKEN-009'],
    level: 'MUST',
    explanation:
      'A member of a wrong type, too long or not of its list is told in the text of its form, with a pointer to it.',
    run: async (t) => {
      const { namespace, name } = await t.createRepo();
      const values: readonly (readonly [value: unknown, received: string])[] = [
        [5, 'number'],
        [true, 'boolean'],
        [[], 'array'],
        [{}, 'object'],
      ];
      for (const [value, received] of [...values, [undefined, 'undefined'], [null, 'null']] as const) {
        const message = `Invalid input: expected string, received ${received}`;
        await assertRefused(t, ['POST', '/namespaces', { namespace: value }], badField('namespace', message));
        const body = { repo: value };
        await assertRefused(t, ['POST', `/namespaces/${namespace}/tokens`, body], badField('repo', message));
        await assertRefused(t, ['POST', `/namespaces/${namespace}/repos`, { name: value }], failures.repoName);
      }
      for (const [value, received] of values) {
        for (const field of ['description', 'default_branch']) {
          const body = { name: 'r', [field]: value };
          const message = `Invalid input: expected string, received ${received}`;
          await assertRefused(t, ['POST', `/namespaces/${namespace}/repos`, body], badField(field, message));
        }
        const scope = 'Invalid option: expected one of "read"|"write"';
        await assertRefused(
          t,
          ['POST', `/namespaces/${namespace}/tokens`, { repo: name, scope: value }],
          badField('scope', scope),
        );
      }
      const long = badField('description', 'Too big: expected string to have <=1024 characters');
      for (const description of ['x'.repeat(1025), '😀'.repeat(1025)]) {
        await assertRefused(t, ['POST', `/namespaces/${namespace}/repos`, { name: 'r', description }], long);
      }
      for (const [value, received] of [
        ['yes', 'string'],
        [0, 'number'],
        [[], 'array'],
      ] as const) {
        const message = `Invalid input: expected boolean, received ${received}`;
        const body = { name: 'r', read_only: value };
        await assertRefused(t, ['POST', `/namespaces/${namespace}/repos`, body], badField('read_only', message));
      }
    },
  },
  {
    id: 'rest/field-texts/settings',
    requirements: ['LIM-006', 'LIM-007', 'REPO-061', 'REPO-101'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(tightSettings, 'repo_name_max', 'description_max', 'jurisdictions'),
    explanation: 'Texts about limits name the limits as they are set.',
    run: async (t) => {
      const { repo_name_max: most, description_max: longest } = tightSettings;
      const path = `/namespaces/${t.namespace}/repos`;
      const tooLong = { ...failures.repoName, message: `Invalid repo name: must be at most ${most} characters` };
      await assertRefused(t, ['POST', path, { name: 'x'.repeat(most + 1) }], tooLong);
      const text = `Too big: expected string to have <=${longest} characters`;
      const description = '😀'.repeat(longest);
      await assertRefused(
        t,
        ['POST', path, { name: 'r', description: `${description}x` }],
        badField('description', text),
      );
      const body = { name: 'x'.repeat(most), description };
      assertSuccess(
        await t.rest('POST', path, { body }),
        201,
        `a name of ${most} and a description of ${longest} characters`,
      );
      const option = badField('jurisdiction', 'Invalid option: expected one of "unrestricted"');
      await assertRefused(t, ['POST', '/namespaces', { namespace: t.name(), jurisdiction: 'eu' }], option);
    },
  },
);
