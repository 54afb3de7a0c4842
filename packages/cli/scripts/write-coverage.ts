/** Writes `docs/coverage.md`. Run: `node packages/cli/scripts/write-coverage.ts`, then `pnpm format`. */

import { writeFileSync } from 'node:fs';
import { documents } from '../test/conformance/elsewhere/documents.ts';
import { coveragePage } from '../test/conformance/elsewhere/page.ts';

writeFileSync(new URL('../../../docs/coverage.md', import.meta.url), coveragePage(documents));
