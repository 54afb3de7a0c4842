import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Patch } from './patch.ts';

/** One deliberate fault of the service. `faults.schema.json` describes its JSON form. */
export interface Fault {
  /** The area, a slash and words. Never changes. */
  readonly id: string;
  /** One sentence: the behaviour that a client sees. */
  readonly what: string;
  /** The requirement that it breaks. */
  readonly requirement: string;
  readonly patch: readonly Patch[];
  /** Settings of the deployment. A case with settings brings its own. Default: none. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Ids of conformance cases that fail under the fault, the cheapest first. */
  readonly caughtBy?: readonly string[];
  /** True if a case of the suite failed when the fault was written, before cases were added for it. */
  readonly caughtAtFirst?: boolean;
}

/** A file of faults. Those under `blind/` were written by someone who had not read the cases. */
export interface FaultFile {
  readonly path: string;
  readonly area: string;
  readonly faults: readonly Fault[];
}

/** The root of the repository, with a slash. Patches name files from there. */
export const repository: URL = new URL('../../../../', import.meta.url);

const folder = fileURLToPath(new URL('packages/adversary/faults/', repository));

/** Returns the files of faults, those of authors who knew the cases first. */
export function readFaultFiles(): readonly FaultFile[] {
  return ['*.json', 'blind/*.json'].flatMap((pattern) =>
    globSync(pattern, { cwd: folder })
      .filter((name) => !name.endsWith('.schema.json'))
      .sort()
      .map((name) => {
        const path = folder + name;
        return { path, ...(JSON.parse(readFileSync(path, 'utf8')) as Omit<FaultFile, 'path'>) };
      }),
  );
}
