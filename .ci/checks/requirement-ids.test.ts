import { describe, expect, it } from 'vitest';
import { idsNamedIn, requirementsIn } from './requirement-ids.ts';
import { readTracked, trackedFiles } from './tracked-files.ts';

const specification = trackedFiles().filter((path) => /^docs\/specification\/.*\.md$/.test(path));
const requirements = specification.flatMap((path) => requirementsIn(path, readTracked(path)));

describe('requirement ids', () => {
  it('are read from rows and list items, with their levels', () => {
    const text = [
      '| GIT-001 | MUST | text |',
      '- **TAG-002** SHOULD text',
      '| Id | Level |',
      'as GIT-003 says',
      '| LIM-004 | |',
    ];
    expect(requirementsIn('x.md', text.join('\n')).map(({ id, level }) => `${id} ${level}`)).toEqual([
      'GIT-001 MUST',
      'TAG-002 SHOULD',
      'LIM-004 ',
    ]);
  });

  it('are found in every file of the specification', () => {
    const files = new Set(requirements.map((requirement) => requirement.file));
    expect(specification.length).toBeGreaterThanOrEqual(6);
    expect([...files].sort()).toEqual([...specification].sort());
    expect(requirements.length).toBeGreaterThan(500);
  });

  it('are each unique', () => {
    const ids = requirements.map((requirement) => requirement.id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('each have a level', () => {
    const levels = ['MUST', 'SHOULD', 'MAY', 'WITHDRAWN'];
    expect(requirements.filter((requirement) => !levels.includes(requirement.level))).toEqual([]);
  });

  it('named in code, tests and documents exist', () => {
    const known = new Set(requirements.map((requirement) => requirement.id));
    const named = trackedFiles()
      .filter((path) => /\.(?:ts|md)$/.test(path) && !path.startsWith('.ci/checks/'))
      .flatMap((path) => idsNamedIn(readTracked(path)).map((id) => ({ path, id })));
    expect(named.length).toBeGreaterThan(requirements.length);
    expect(named.filter(({ id }) => !known.has(id))).toEqual([]);
  });
});
