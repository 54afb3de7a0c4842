import { binding } from './binding.ts';
import type { CoveredDocument } from './elsewhere.ts';
import { errors } from './errors.ts';
import { git } from './git.ts';
import { repositories, shared } from './repositories.ts';
import { tags } from './tags.ts';

/** Every document of the specification. */
export const documents: readonly CoveredDocument[] = [shared, repositories, git, binding, tags, errors];
