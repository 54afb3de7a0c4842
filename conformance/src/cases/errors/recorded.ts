/** The recorded exchanges of `exchanges/errors/`. */

import { suite, type Suite } from '../../core/case.ts';
import { sampleCase } from '../../steps/sample-cases.ts';

const must = { level: 'MUST', needs: ['zone'] } as const;

export const errorsRecorded: Suite = suite(
  sampleCase('errors', 'json', {
    ...must,
    requirements: ['ERR-035', 'ERR-036', 'ERR-037', 'ERR-039', 'ERR-042', 'ERR-049', 'ERR-051'],
    explanation: 'Recorded requests for an error as JSON and as problem details get the recorded replies.',
  }),
  sampleCase('errors', 'markdown', {
    ...must,
    requirements: ['ERR-006', 'ERR-037', 'ERR-049'],
    explanation: 'A recorded request for an error as Markdown gets the recorded reply.',
  }),
  sampleCase('errors', 'html', {
    ...must,
    requirements: ['NEG-001', 'NEG-006'],
    explanation: 'Recorded requests of a browser, and of a client that takes anything, get a page.',
  }),
  sampleCase('errors', 'negotiation', {
    ...must,
    requirements: ['NEG-004', 'NEG-005', 'NEG-006'],
    explanation: 'Recorded requests with weights get the recorded formats.',
  }),
);
