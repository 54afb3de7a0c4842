/** The recorded exchanges of `exchanges/tags/`. */

import { suite, type Suite } from '../../core/case.ts';
import { sampleCase } from '../../steps/sample-cases.ts';

const must = { level: 'MUST' } as const;

export const tagsRecorded: Suite = suite(
  sampleCase('tags', 'set-and-read', {
    ...must,
    requirements: ['TAG-001', 'TAG-002', 'TAG-003', 'TAG-036', 'TAG-062'],
    explanation: 'Recorded requests that set, read, replace and remove tags get the recorded replies.',
  }),
  sampleCase('tags', 'filters', {
    ...must,
    requirements: ['TAG-066', 'TAG-067', 'TAG-081', 'TAG-084', 'TAG-086'],
    explanation: 'Recorded requests for resources by their tags get the recorded replies.',
  }),
  sampleCase('tags', 'if-match', {
    ...must,
    requirements: ['TAG-045', 'TAG-046', 'TAG-048'],
    explanation: 'Recorded writes with If-Match get the recorded replies.',
  }),
  sampleCase('tags', 'refusals', {
    ...must,
    requirements: ['TAG-064', 'TAG-131'],
    explanation: 'Recorded requests at fault are refused with the recorded replies.',
  }),
);
