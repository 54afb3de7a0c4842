/** The recorded exchanges of `exchanges/rest/`. */

import { suite, type Suite } from '../../core/case.ts';
import { sampleCase } from '../../steps/sample-cases.ts';

const must = { level: 'MUST' } as const;

export const restRecorded: Suite = suite(
  sampleCase('rest', 'repo-lifecycle', {
    ...must,
    requirements: ['REPO-072', 'REPO-073', 'REPO-074', 'REPO-075', 'REPO-076', 'REPO-077', 'REPO-236', 'REPO-239'],
    explanation: 'Recorded requests that create, show, list, update and delete a repo get the recorded replies.',
  }),
  sampleCase('rest', 'pages', {
    ...must,
    requirements: ['REPO-091', 'REPO-092', 'REPO-093', 'REPO-114', 'REPO-115'],
    explanation: 'Recorded requests for pages of repos, by cursor and by number, get the recorded replies.',
  }),
  sampleCase('rest', 'tokens', {
    ...must,
    requirements: ['TOKEN-009', 'TOKEN-010', 'TOKEN-012', 'REPO-164'],
    explanation: 'Recorded requests that mint, list and revoke a token get the recorded replies.',
  }),
  sampleCase('rest', 'commit-and-log', {
    ...must,
    requirements: ['REPO-143', 'REPO-144', 'REPO-250', 'REPO-253', 'REPO-254', 'REPO-262', 'REPO-271', 'REPO-272'],
    explanation: 'Recorded commits, and requests for their log, tree, file and difference, get the recorded replies.',
  }),
  sampleCase('rest', 'refs', {
    ...must,
    requirements: ['REPO-232', 'REPO-233', 'REPO-244', 'REPO-246', 'REPO-247'],
    explanation: 'Recorded requests that list, create, move and delete refs get the recorded replies.',
  }),
  sampleCase('rest', 'merge-conflict', {
    ...must,
    requirements: ['REPO-249', 'REPO-281', 'REPO-282'],
    explanation: 'Recorded merges, with and without a conflict, get the recorded replies.',
  }),
  sampleCase('rest', 'forks', {
    ...must,
    requirements: ['REPO-078', 'REPO-120', 'REPO-121', 'REPO-122'],
    explanation: 'A recorded fork, and requests for its content, get the recorded replies.',
  }),
  sampleCase('rest', 'refusals', {
    ...must,
    needs: ['read token'],
    requirements: ['REPO-034', 'REPO-035', 'REPO-036', 'REPO-048', 'REPO-112', 'REPO-298', 'REPO-299'],
    explanation: 'Recorded requests at fault are refused with the recorded replies.',
  }),
);
