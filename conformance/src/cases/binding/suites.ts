import type { Suite } from '../../core/case.ts';
import { archives } from './archives.ts';
import { creates } from './create.ts';
import { deletes } from './deletes.ts';
import { disposal } from './disposal.ts';
import { forks } from './forks.ts';
import { gets } from './get.ts';
import { importRemotes } from './import-remotes.ts';
import { imports } from './imports.ts';
import { large } from './large.ts';
import { lists } from './lists.ts';
import { members } from './members.ts';
import { races } from './races.ts';
import { reading } from './reading.ts';
import { reads } from './reads.ts';
import { commits } from './commits.ts';
import { merges } from './merges.ts';
import { refs } from './refs.ts';
import { search } from './search.ts';
import { together } from './together.ts';
import { tokens } from './tokens.ts';
import { updates } from './updates.ts';

/** Every case of the runtime binding. */
export const binding: Suite = [
  ...archives,
  ...creates,
  ...deletes,
  ...disposal,
  ...forks,
  ...gets,
  ...imports,
  ...importRemotes,
  ...large,
  ...lists,
  ...members,
  ...races,
  ...reading,
  ...reads,
  ...refs,
  ...commits,
  ...merges,
  ...search,
  ...together,
  ...tokens,
  ...updates,
];
