/** REPO-125, REPO-126, REPO-129 of docs/specification/repositories.md: refusals without a connection to a remote. */

import { suite, type Suite } from '../../../core/case.ts';
import { askForImport, expectNoImport, failures as ofImports } from '../../../steps/imports.ts';
import { assertFailure, assertRefused, badField, failures, repoExists, type Failure } from '../../../steps/replies.ts';

/** This name never exists (RFC 6761 §6.4). */
const nowhere = 'https://git.invalid/team/repo';
const branchName = badField('branch', 'Invalid branch name');

/** Bodies with invalid members, and the reported one. */
const bad: readonly (readonly [Readonly<Record<string, unknown>>, Failure])[] = [
  [{}, badField('url', 'Invalid input: expected string, received undefined')],
  [{ url: 1, branch: '-' }, badField('url', 'Invalid input: expected string, received number')],
  [{ url: 'team/repo' }, ofImports.noHttps],
  [{ url: 'http://git.invalid/team/repo', depth: 0 }, ofImports.noHttps],
  [{ url: 'ssh://git.invalid/team/repo' }, ofImports.noHttps],
  [{ url: 'git@git.invalid:team/repo' }, ofImports.noHttps],
  [{ url: 'file:///etc' }, ofImports.noHttps],
  [{ url: 'https://user@git.invalid/x', branch: '-' }, ofImports.noRemote],
  [{ url: 'https://user:secret@git.invalid/x' }, ofImports.noRemote],
  [{ url: nowhere, branch: 'a..b', depth: 0 }, branchName],
  [{ url: nowhere, branch: '' }, branchName],
  [{ url: nowhere, branch: 7 }, badField('branch', 'Invalid input: expected string, received number')],
  [{ url: nowhere, depth: 0, read_only: 1 }, badField('depth', 'Too small: expected number to be >=1')],
  [{ url: nowhere, depth: 1.5 }, badField('depth', 'Invalid input: expected number, received NaN')],
  [
    { url: nowhere, read_only: 'yes', description: 1 },
    badField('read_only', 'Invalid input: expected boolean, received string'),
  ],
  [{ url: nowhere, description: 1 }, badField('description', 'Invalid input: expected string, received number')],
  [
    { url: nowhere, description: 'x'.repeat(1025) },
    badField('description', 'Too big: expected string to have <=1024 characters'),
  ],
];

/** Addresses that are internal to the host, in the forms that URLs allow. */
const closed: readonly string[] = [
  '127.0.0.1',
  '2130706433',
  '127.0.0.%31',
  '0.0.0.0',
  '10.0.0.1',
  '169.254.169.254',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[fe80::1]',
  '[2002:7f00:1::]',
];

export const importRefusals: Suite = suite(
  {
    id: 'rest/imports/fields',
    requirements: ['REPO-036', 'REPO-060', 'REPO-061', 'REPO-063', 'REPO-125', 'REPO-126', 'REPO-133', 'REPO-165'],
    level: 'MUST',
    explanation: 'Of bad members the first in the order of the specification is told, and nothing is made.',
    run: async (t) => {
      for (const [body, failure] of bad) await expectNoImport(t, body, failure, JSON.stringify(body).slice(0, 99));
      assertFailure(t, await askForImport(t, '-x', { url: 'x' }), failures.repoName, 'an import with a bad name');
      await assertRefused(t, ['POST', '/namespaces/n-/repos/-x/import', { url: 'x' }], failures.namespaceName);
    },
  },
  {
    id: 'rest/imports/name-taken',
    requirements: ['REPO-112', 'REPO-125', 'REPO-168'],
    level: 'MUST',
    explanation: 'A name that is taken, in any case, is refused whatever the remote is.',
    run: async (t) => {
      const name = t.name('Taken');
      await t.createRepo({ name });
      for (const sent of [name, name.toLowerCase()]) {
        assertFailure(t, await askForImport(t, sent, { url: nowhere }), repoExists(sent), `an import as ${sent}`);
      }
    },
  },
  {
    id: 'rest/imports/closed-addresses',
    requirements: ['REPO-129', 'REPO-133'],
    level: 'MUST',
    beyond: true,
    explanation: 'Addresses that are not public are no remotes, however they are written.',
    run: async (t) => {
      for (const host of closed) {
        const url = `https://${host}:4711/team/repo.git`;
        await expectNoImport(t, { url }, ofImports.noRemote, url);
      }
    },
  },
);
