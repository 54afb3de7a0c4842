import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { settingsKey } from '../service/deployments.ts';
import { cases } from './index.ts';

const folder = new URL('../../../docs/specification/', import.meta.url);

/** Levels and marks by requirement id, from the rows and items of the specification. */
const specified = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => readFileSync(new URL(name, folder), 'utf8').split('\n'))
    .flatMap((line) => {
      const [, id, level] =
        /^(?:\| ?|- )?\*{0,2}((?:REPO|TOKEN|GIT|BIND|LIM|TAG|ERR|NEG)-\d{3})\b[*: |]*(MUST|SHOULD|MAY)?/.exec(line) ??
        [];
      return id === undefined ? [] : [[id, level] as const];
    }),
);

const strength = ['MUST', 'SHOULD', 'MAY'];

describe('the cases', () => {
  it('have unique ids of one form', () => {
    const ids = cases.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(100);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9]+(?:[-/][a-z0-9]+)*$/);
  });

  it('name requirements that exist', () => {
    const unknown = cases.flatMap(({ id, requirements }) =>
      requirements.filter((one) => !specified.has(one)).map((one) => `${id}: ${one}`),
    );
    expect(unknown).toEqual([]);
    expect(cases.filter(({ requirements }) => requirements.length === 0).map(({ id }) => id)).toEqual([]);
  });

  it('have the strongest level of their requirements', () => {
    const wrong = cases.flatMap(({ id, requirements, level }) => {
      // The rows of limits have no level.
      const levels = requirements.map((one) => specified.get(one) ?? 'MUST');
      const strongest = strength.find((one) => levels.includes(one as 'MUST'));
      return strongest === level ? [] : [`${id}: ${level}, not ${strongest ?? 'none'}`];
    });
    expect(wrong).toEqual([]);
  });

  it('explain themselves in one sentence', () => {
    expect(cases.filter(({ explanation }) => !/^[A-Za-z`].+\.$/.test(explanation)).map(({ id }) => id)).toEqual([]);
  });

  it('say that they need settings if they have some', () => {
    const silent = cases.filter(({ settings, needs = [] }) => (settings !== undefined) !== needs.includes('settings'));
    expect(silent.map(({ id }) => id)).toEqual([]);
  });

  it('depend on few settings, and share deployments', () => {
    const many = cases.filter(({ settings = {} }) => Object.keys(settings).length > 3);
    expect(many.map(({ id }) => id)).toEqual([]);
    expect(new Set(cases.map(settingsKey)).size).toBeLessThan(20);
  });
});
