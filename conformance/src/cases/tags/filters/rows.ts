import type { Tags } from '../support/filter-model.ts';

export type SampleName = 'A' | 'B' | 'C' | 'D' | 'E';

/** The resources in the examples of section 10. */
export const samples: Readonly<Record<SampleName, Tags>> = {
  A: { env: 'prod', team: 'core' },
  B: { env: 'staging', team: 'core', note: 'a,b' },
  C: { env: '', archived: '' },
  D: { Env: 'PROD', Équipe: 'Données', formula: 'x=y=z' },
  E: { team: 'web', 环境: '生产', ratio: '50%' },
};

/** One row of the table of section 10. */
export interface FilterRow {
  readonly id: string;
  readonly beyond?: true;
  /** Texts of `tag` on the wire, one request each. Those of an inner list are in one request. */
  readonly wire: readonly (string | readonly string[])[];
  readonly ignoreCase?: true;
  /** Samples that match, or the code that refuses all of them. */
  readonly expected: readonly SampleName[] | number;
}

/** TAG-093 to TAG-124 from the specification. */
export const filterRows: readonly FilterRow[] = [
  { id: 'TAG-093', wire: ['env'], expected: ['A', 'B', 'C'] },
  { id: 'TAG-094', wire: ['!env', '%21env'], expected: ['D', 'E'] },
  { id: 'TAG-095', wire: ['env=prod'], expected: ['A'] },
  { id: 'TAG-096', wire: ['env=prod,staging'], expected: ['A', 'B'] },
  { id: 'TAG-097', wire: ['env%3Dprod%2Cstaging', 'env%3Dprod,staging'], expected: ['A', 'B'] },
  { id: 'TAG-098', wire: ['env!=prod', 'env%21%3Dprod'], expected: ['B', 'C', 'D', 'E'] },
  { id: 'TAG-099', wire: ['env!=prod,staging'], expected: ['C', 'D', 'E'] },
  { id: 'TAG-100', wire: ['env='], expected: ['C'] },
  { id: 'TAG-101', wire: ['env!='], expected: ['A', 'B', 'D', 'E'] },
  { id: 'TAG-102', beyond: true, wire: ['note=a%2Cb'], expected: ['B'] },
  { id: 'TAG-103', wire: ['note=a,b'], expected: [] },
  { id: 'TAG-104', wire: ['note%3Da%2Cb'], expected: [] },
  { id: 'TAG-105', wire: ['formula=x=y=z', 'formula%3Dx%3Dy%3Dz'], expected: ['D'] },
  { id: 'TAG-106', wire: ['%C3%89quipe=Donn%C3%A9es'], expected: ['D'] },
  { id: 'TAG-107', wire: ['%E7%8E%AF%E5%A2%83=%E7%94%9F%E4%BA%A7'], expected: ['E'] },
  { id: 'TAG-108', wire: ['ratio=50%25'], expected: ['E'] },
  { id: 'TAG-109', wire: ['note=a+b'], expected: [] },
  { id: 'TAG-110', wire: ['ENV=prod'], expected: [] },
  { id: 'TAG-111', wire: ['ENV=prod'], ignoreCase: true, expected: ['A', 'D'] },
  { id: 'TAG-112', wire: ['!ENV'], ignoreCase: true, expected: ['E'] },
  { id: 'TAG-113', wire: ['env!=Prod'], ignoreCase: true, expected: ['B', 'C', 'E'] },
  { id: 'TAG-114', wire: ['%C3%A9quipe=donn%C3%A9es'], ignoreCase: true, expected: ['D'] },
  { id: 'TAG-115', wire: [['team=core', 'env!=prod']], expected: ['B'] },
  { id: 'TAG-116', wire: ['env==prod', 'env=!prod'], expected: [] },
  { id: 'TAG-117', beyond: true, wire: ['', '!', '=x', '!=x', '!env=prod', '!env!=prod'], expected: 1007 },
  { id: 'TAG-118', beyond: true, wire: ['env=a,', 'env=,a', 'env=,', 'env%3Da%2C'], expected: 1007 },
  { id: 'TAG-119', beyond: true, wire: ['ratio=50%', 'ratio=%FF', 'env=%00'], expected: 1007 },
  {
    id: 'TAG-120',
    beyond: true,
    wire: ['env:prod', 'env+prod', '!!env', 'a!b=c', 'E%CC%81quipe'],
    expected: 1014,
  },
  { id: 'TAG-121', beyond: true, wire: ['k'.repeat(257), `!${'k'.repeat(257)}`], expected: 1011 },
  { id: 'TAG-122', beyond: true, wire: [`env=${'v'.repeat(1025)}`], expected: 1012 },
  { id: 'TAG-123', wire: ['env=a,a,a,a,a,a,a,a,a,a,a'], expected: 1013 },
  { id: 'TAG-124', wire: [Array.from({ length: 21 }, () => 'env')], expected: 1010 },
];
