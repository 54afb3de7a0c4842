import type { CodecCase } from './codec-case.test.util.ts';
import { deflateCases } from './deflate-cases.test.util.ts';
import { digestCases } from './digest-cases.test.util.ts';
import { inflateCases } from './inflate-cases.test.util.ts';
import { refusalCases } from './refusal-cases.test.util.ts';

/** All that a codec must do. */
export const codecContract: readonly CodecCase[] = [...inflateCases, ...refusalCases, ...deflateCases, ...digestCases];
