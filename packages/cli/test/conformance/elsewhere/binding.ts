import type { CoveredDocument } from './elsewhere.ts';

const inConfiguration = 'a program shows nothing of its configuration';
const inTypes = 'types are seen by the compiler alone';

export const binding: CoveredDocument = {
  document: 'docs/specification/binding.md',
  areas: ['BIND'],
  count: 95,
  elsewhere: [
    { id: 'BIND-001', why: inConfiguration, file: 'packages/server/src/config/bindings.test.ts' },
    { id: 'BIND-002', why: inConfiguration, file: 'packages/server/src/config/bindings.test.ts' },
    { id: 'BIND-004', why: inConfiguration, file: 'packages/server/test/binding/open-host.test.ts' },
    { id: 'BIND-005', why: inConfiguration, file: 'packages/workers/test/binding.runtimes.test.ts' },
    { id: 'BIND-006', why: inConfiguration, file: 'packages/server/src/config/bindings.test.ts' },
    { id: 'BIND-010', why: inTypes, file: 'packages/binding/test/public-types.test.ts' },
    { id: 'BIND-011', why: inTypes, file: 'packages/binding/test/public-types.test.ts' },
    { id: 'BIND-012', why: inTypes, file: 'packages/binding/test/public-types.test.ts' },
    { id: 'BIND-013', why: inTypes, file: 'packages/workers/test/binding.runtimes.test.ts' },
    { id: 'BIND-020', why: 'the probe does not know its form', file: 'packages/server/test/binding/open-host.test.ts' },
    { id: 'BIND-021', why: 'the probe does not know its form', file: 'packages/workers/test/binding.runtimes.test.ts' },
    {
      id: 'BIND-025',
      why: 'it would take 2,000 calls',
      file: 'packages/binding/src/create-binding.test.ts',
    },
    {
      id: 'BIND-075',
      why: 'memory is measured in the process',
      file: 'packages/workers/test/binding-memory.runtimes.test.ts',
    },
    {
      id: 'BIND-081',
      why: 'it takes a caller of an older date',
      file: 'packages/workers/test/binding.runtimes.test.ts',
    },
    {
      id: 'BIND-082',
      why: 'what is unexpected does not come when asked',
      file: 'packages/binding/src/create-binding.test.ts',
    },
    {
      id: 'BIND-092',
      why: 'no caller is fast enough to see a repo that is being created',
      file: 'packages/binding/src/create-binding.test.ts',
    },
    {
      id: 'BIND-094',
      why: 'no caller is fast enough to see a repo that is being forked',
      file: 'packages/binding/src/create-binding.test.ts',
    },
    { id: 'BIND-103', why: 'the runtimes have it', file: 'packages/binding/src/open-handle.test.ts' },

    {
      inPart: true,
      id: 'BIND-023',
      why: 'a caller can only guess what else there is',
      file: 'packages/workers/test/inside/binding.test.ts',
    },
    {
      inPart: true,
      id: 'BIND-100',
      why: '`using` is for a compiler',
      file: 'packages/workers/test/binding.runtimes.test.ts',
    },
    {
      inPart: true,
      id: 'BIND-024',
      why: 'the probe has no sink',
      file: 'packages/binding/src/create-binding.test.ts',
    },
    {
      inPart: true,
      id: 'BIND-063',
      why: 'it takes a thousand tokens',
      file: 'packages/binding/src/open-handle.test.ts',
    },
    {
      inPart: true,
      id: 'BIND-112',
      why: 'the probe reads a stream to its end',
      file: 'packages/binding/src/open-handle.test.ts',
    },
    {
      inPart: true,
      id: 'BIND-115',
      why: 'the probe sends whole streams',
      file: 'packages/binding/src/open-handle.test.ts',
    },
  ],
};
