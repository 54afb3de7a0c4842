import type { TagFilterErrorCode } from '../filter/tag-filter-error.ts';
import type { TagFilterInput } from '../filter/tag-filter.ts';

export type SampleName = 'A' | 'B' | 'C' | 'D' | 'E';

/** The tag maps of section 10. */
export const sample: Readonly<Record<SampleName, Readonly<Record<string, string>>>> = {
  A: { env: 'prod', team: 'core' },
  B: { env: 'staging', team: 'core', note: 'a,b' },
  C: { env: '', archived: '' },
  D: { Env: 'PROD', Équipe: 'Données', formula: 'x=y=z' },
  E: { team: 'web', 环境: '生产', ratio: '50%' },
};

/** A row of the table of valid filters. A row with several spellings becomes several examples. */
export interface FilterExample {
  readonly id: string;
  /** Value of `tag=` in its wire form. */
  readonly texts: readonly string[];
  readonly caseInsensitive?: boolean;
  readonly filters: readonly TagFilterInput[];
  readonly matches: readonly SampleName[];
}

const has = (key: string): TagFilterInput => ({ key, test: 'has' });
const lacks = (key: string): TagFilterInput => ({ key, test: 'lacks' });
const oneOf = (key: string, ...values: string[]): TagFilterInput => ({ key, test: 'one-of', values });
const noneOf = (key: string, ...values: string[]): TagFilterInput => ({ key, test: 'none-of', values });

function example(
  id: string,
  texts: string | readonly string[],
  filter: TagFilterInput,
  matched: string,
): FilterExample {
  const list = typeof texts === 'string' ? [texts] : texts;
  return { id, texts: list, filters: [filter], matches: [...matched] as SampleName[] };
}

const inAnyCase = (row: FilterExample): FilterExample => ({ ...row, caseInsensitive: true });

export const examples: readonly FilterExample[] = [
  example('TAG-093', 'env', has('env'), 'ABC'),
  example('TAG-094', '!env', lacks('env'), 'DE'),
  example('TAG-094', '%21env', lacks('env'), 'DE'),
  example('TAG-095', 'env=prod', oneOf('env', 'prod'), 'A'),
  example('TAG-096', 'env=prod,staging', oneOf('env', 'prod', 'staging'), 'AB'),
  example('TAG-097', 'env%3Dprod%2Cstaging', oneOf('env', 'prod', 'staging'), 'AB'),
  example('TAG-097', 'env%3Dprod,staging', oneOf('env', 'prod', 'staging'), 'AB'),
  example('TAG-098', 'env!=prod', noneOf('env', 'prod'), 'BCDE'),
  example('TAG-098', 'env%21%3Dprod', noneOf('env', 'prod'), 'BCDE'),
  example('TAG-099', 'env!=prod,staging', noneOf('env', 'prod', 'staging'), 'CDE'),
  example('TAG-100', 'env=', oneOf('env', ''), 'C'),
  example('TAG-101', 'env!=', noneOf('env', ''), 'ABDE'),
  example('TAG-102', 'note=a%2Cb', oneOf('note', 'a,b'), 'B'),
  example('TAG-103', 'note=a,b', oneOf('note', 'a', 'b'), ''),
  example('TAG-104', 'note%3Da%2Cb', oneOf('note', 'a', 'b'), ''),
  example('TAG-105', 'formula=x=y=z', oneOf('formula', 'x=y=z'), 'D'),
  example('TAG-105', 'formula%3Dx%3Dy%3Dz', oneOf('formula', 'x=y=z'), 'D'),
  example('TAG-106', '%C3%89quipe=Donn%C3%A9es', oneOf('Équipe', 'Données'), 'D'),
  example('TAG-107', '%E7%8E%AF%E5%A2%83=%E7%94%9F%E4%BA%A7', oneOf('环境', '生产'), 'E'),
  example('TAG-108', 'ratio=50%25', oneOf('ratio', '50%'), 'E'),
  example('TAG-109', 'note=a+b', oneOf('note', 'a b'), ''),
  example('TAG-110', 'ENV=prod', oneOf('ENV', 'prod'), ''),
  inAnyCase(example('TAG-111', 'ENV=prod', oneOf('ENV', 'prod'), 'AD')),
  inAnyCase(example('TAG-112', '!ENV', lacks('ENV'), 'E')),
  inAnyCase(example('TAG-113', 'env!=Prod', noneOf('env', 'Prod'), 'BCE')),
  inAnyCase(example('TAG-114', '%C3%A9quipe=donn%C3%A9es', oneOf('équipe', 'données'), 'D')),
  {
    id: 'TAG-115',
    texts: ['team=core', 'env!=prod'],
    filters: [oneOf('team', 'core'), noneOf('env', 'prod')],
    matches: ['B'],
  },
  example('TAG-116', 'env==prod', oneOf('env', '=prod'), ''),
  example('TAG-116', 'env=!prod', oneOf('env', '!prod'), ''),
];

/** A refused text of the table. */
export interface RefusedExample {
  readonly id: string;
  readonly texts: readonly string[];
  readonly code: TagFilterErrorCode;
}

const refused = (id: string, code: TagFilterErrorCode, ...texts: string[]): RefusedExample[] =>
  texts.map((text) => ({ id, texts: [text], code }));

export const refusedExamples: readonly RefusedExample[] = [
  ...refused('TAG-117', 1007, '', '!', '=x', '!=x', '!env=prod', '!env!=prod'),
  ...refused('TAG-118', 1007, 'env=a,', 'env=,a', 'env=,', 'env%3Da%2C'),
  ...refused('TAG-119', 1007, 'ratio=50%', 'ratio=%FF', 'env=%00'),
  ...refused('TAG-120', 1014, 'env:prod', 'env+prod', '!!env', 'a!b=c', 'E%CC%81quipe'),
  ...refused('TAG-121', 1011, 'k'.repeat(257), `!${'k'.repeat(257)}`),
  ...refused('TAG-122', 1012, `env=${'v'.repeat(1025)}`),
  ...refused('TAG-123', 1013, 'env=a,a,a,a,a,a,a,a,a,a,a'),
  { id: 'TAG-124', texts: Array<string>(21).fill('env'), code: 1010 },
];
