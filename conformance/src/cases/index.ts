import type { Case } from '../core/case.ts';
import { binding } from './binding/suites.ts';
import { errors } from './errors/suites.ts';
import { gitPacks } from './git/pack-suites.ts';
import { git } from './git/suites.ts';
import { rest } from './rest/suites.ts';
import { tags } from './tags/suites.ts';

/** Every case of the suite, in the order of the reports. Each file of cases adds its suite to `suites.ts` of its folder. */
export const cases: readonly Case[] = [...rest, ...git, ...gitPacks, ...errors, ...tags, ...binding];
