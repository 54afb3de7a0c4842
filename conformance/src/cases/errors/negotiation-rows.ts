import type { MediaType } from './replies.ts';

/** One row of section 2. */
export interface NegotiationRow {
  readonly id: string;
  /** The topic of the row. The rows of one theme are one case. */
  readonly theme: 'types' | 'wildcards' | 'weights' | 'syntax' | 'unreadable' | 'limits';
  readonly beyond?: true;
  readonly accept: readonly string[];
  readonly type: MediaType;
}

const [html, json, problem, markdown] = [
  'text/html',
  'application/json',
  'application/problem+json',
  'text/markdown',
] as const;

/** NEG-012 to NEG-056 from the specification, without those that ordinary requests cannot send (`negotiation.ts`). */
export const negotiationRows: readonly NegotiationRow[] = [
  { id: 'NEG-012', theme: 'types', accept: ['*/*'], type: html },
  { id: 'NEG-013', theme: 'types', accept: ['text/html'], type: html },
  { id: 'NEG-014', theme: 'types', accept: ['application/json'], type: json },
  { id: 'NEG-015', theme: 'types', accept: ['application/problem+json'], type: problem },
  { id: 'NEG-016', theme: 'types', accept: ['application/json, text/markdown;q=0.9'], type: json },
  { id: 'NEG-017', theme: 'types', accept: ['text/markdown'], type: markdown },
  { id: 'NEG-018', theme: 'types', accept: ['text/markdown, application/json'], type: markdown },
  { id: 'NEG-019', theme: 'wildcards', accept: ['text/*'], type: markdown },
  { id: 'NEG-020', theme: 'types', accept: ['text/markdown, text/html;q=0.9'], type: markdown },
  { id: 'NEG-021', theme: 'wildcards', accept: ['application/json, text/plain, */*'], type: json },
  { id: 'NEG-022', theme: 'wildcards', accept: ['*/*, application/json'], type: html },
  { id: 'NEG-023', theme: 'wildcards', accept: ['text/markdown, */*'], type: markdown },
  { id: 'NEG-024', theme: 'types', accept: ['text/html, application/json'], type: html },
  { id: 'NEG-025', theme: 'types', accept: ['application/json, text/html'], type: json },
  { id: 'NEG-026', theme: 'types', accept: ['application/json;q=0.9, text/html'], type: html },
  { id: 'NEG-027', theme: 'types', accept: ['application/json, application/problem+json'], type: json },
  { id: 'NEG-028', theme: 'types', accept: ['application/problem+json, application/json'], type: problem },
  { id: 'NEG-029', theme: 'wildcards', beyond: true, accept: ['application/*'], type: json },
  { id: 'NEG-030', theme: 'wildcards', beyond: true, accept: ['application/*, application/json;q=0.1'], type: problem },
  { id: 'NEG-031', theme: 'wildcards', beyond: true, accept: ['text/*, text/html'], type: markdown },
  { id: 'NEG-032', theme: 'wildcards', accept: ['text/html, text/*'], type: html },
  { id: 'NEG-033', theme: 'wildcards', beyond: true, accept: ['text/*;q=0.5, text/markdown;q=0'], type: html },
  { id: 'NEG-034', theme: 'wildcards', beyond: true, accept: ['text/*;q=0.9, text/markdown;q=0.1'], type: html },
  {
    id: 'NEG-035',
    theme: 'wildcards',
    beyond: true,
    accept: ['text/html;q=0.1, */*;q=0.9', 'text/*;q=0.3, */*;q=0.9'],
    type: json,
  },
  { id: 'NEG-036', theme: 'wildcards', beyond: true, accept: ['text/html;q=0, */*'], type: json },
  {
    id: 'NEG-037',
    theme: 'wildcards',
    beyond: true,
    accept: ['text/html;q=0, application/json;q=0, */*'],
    type: markdown,
  },
  { id: 'NEG-038', theme: 'weights', accept: ['text/html;q=0', 'application/json;q=0', '*/*;q=0'], type: html },
  { id: 'NEG-039', theme: 'types', accept: ['application/xhtml+xml, application/json;q=0.9'], type: html },
  {
    id: 'NEG-040',
    theme: 'wildcards',
    accept: ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'],
    type: html,
  },
  { id: 'NEG-041', theme: 'weights', accept: ['text/html, image/gif, *; q=.2, */*; q=.2'], type: html },
  { id: 'NEG-042', theme: 'syntax', accept: ['APPLICATION/JSON', 'application/JSON;Q=0.3'], type: json },
  {
    id: 'NEG-043',
    theme: 'syntax',
    accept: ['application/json;charset=utf-8', 'application/json;q=0.9;ext=1, text/html;q=0.8'],
    type: json,
  },
  { id: 'NEG-044', theme: 'syntax', accept: ['text/markdown;variant=GFM'], type: markdown },
  { id: 'NEG-045', theme: 'syntax', beyond: true, accept: ['application/json;x="a,b;q=0", text/html'], type: json },
  { id: 'NEG-046', theme: 'syntax', accept: ['application/json,,text/markdown'], type: json },
  {
    id: 'NEG-047',
    theme: 'weights',
    beyond: true,
    accept: ['application/json;q=0.5;q=0.9, text/markdown;q=0.7'],
    type: markdown,
  },
  {
    id: 'NEG-048',
    theme: 'weights',
    beyond: true,
    accept: ['application/json;q=0.12345, text/html;q=0.1'],
    type: json,
  },
  {
    id: 'NEG-050',
    theme: 'unreadable',
    beyond: true,
    accept: ['abc', '1.5', '-1', '.5', '"1"', ''].map((weight) => `application/json;q=${weight}`),
    type: html,
  },
  {
    id: 'NEG-051',
    theme: 'unreadable',
    beyond: true,
    accept: ['application/vnd.api+json', 'text/plain', 'image/*', '*', '*/json', 'json', '/'],
    type: html,
  },
  {
    id: 'NEG-052',
    theme: 'unreadable',
    beyond: true,
    accept: ['application/json text/markdown', 'application/ json'],
    type: html,
  },
  { id: 'NEG-053', theme: 'unreadable', beyond: true, accept: ['', '   ', ',', ';;;'], type: html },
  { id: 'NEG-054', theme: 'unreadable', beyond: true, accept: ['application/json;x="a, text/markdown'], type: html },
  { id: 'NEG-055', theme: 'limits', beyond: true, accept: [`${'x/y,'.repeat(63)}application/json`], type: json },
  {
    id: 'NEG-056',
    theme: 'limits',
    beyond: true,
    accept: [`${'x/y,'.repeat(64)}application/json`, `${'a'.repeat(9000)},application/json`],
    type: html,
  },
];
