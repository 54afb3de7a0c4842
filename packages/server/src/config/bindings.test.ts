import { cloudflare, neutral, readBindings } from '@packhouse/hosting';
import { describe, expect, it } from 'vitest';
import { StartError } from '../start-error.ts';
import { parseConfig } from './config.ts';

const entry = { binding: 'REPOS', namespace: 'default' };

describe('the list of bindings', () => {
  it('REPO-024, BIND-001, BIND-005, BIND-006: is read from the key of the dialect, beside a date that only Workers look at', () => {
    const list = [entry, { binding: '$other_1', namespace: 'default', remote: true }];
    const config = { compatibility_date: '2026-11-20', repos: list };
    expect(readBindings(config, neutral)).toEqual(list);
    expect(readBindings({ artifacts: list, other: 7 }, cloudflare)).toEqual(list);
    expect(readBindings({}, neutral)).toEqual([]);
    expect(parseConfig(JSON.stringify(config), 'c')).toEqual({ ...config, settings: {} });
  });

  it.each<[unknown, string]>([
    [7, 'repos: expected a list, each item an object with the members binding, namespace, remote, found 7'],
    [[entry, 'x'], 'repos[1]: expected an object with the members binding, namespace, remote, found another text'],
    [[{ namespace: 'aa' }], 'repos[0].binding: is missing; expected a JavaScript identifier'],
    [[{ ...entry, binding: 'my-repos' }], 'repos[0].binding: expected a JavaScript identifier, found "my-repos"'],
    [[{ ...entry, binding: 'class' }], 'repos[0].binding: expected a JavaScript identifier, found "class"'],
    [[{ ...entry, binding: '' }], 'repos[0].binding: expected a JavaScript identifier, found ""'],
    [[entry, { binding: 'B' }], 'repos[1].namespace: is missing; expected the name of a namespace'],
    [[{ ...entry, namespace: 'a b' }], 'repos[0].namespace: expected the name of a namespace'],
    [[{ ...entry, namespace: 'aa-' }], 'repos[0].namespace: expected the name of a namespace'],
    [[{ ...entry, remote: 'yes' }], 'repos[0].remote: expected true or false, found "yes"'],
    [[{ ...entry, account: 'a1' }], 'repos[0].account: unknown member (allowed: binding, namespace, remote)'],
    [[entry, { ...entry, namespace: 'other' }], 'repos[1].binding: "REPOS" is the name of an earlier entry'],
  ])('BIND-002, BIND-007: %j is refused, naming entry and member', (repos, message) => {
    const problem = (work: () => unknown): string => {
      try {
        return `taken: ${JSON.stringify(work())}`;
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(problem(() => readBindings({ repos }, neutral)).slice(0, message.length)).toBe(message);
    const parsed = problem(() => parseConfig(JSON.stringify({ repos }), 'c'));
    expect(parsed.slice(0, message.length + 3)).toBe(`c: ${message}`);
  });

  it('BIND-001: is not taken from the key of another dialect', () => {
    expect(() => readBindings({ artifacts: [] }, neutral)).toThrow(
      'artifacts: in the dialect "neutral" the list of bindings is "repos"',
    );
    expect(() => parseConfig('{"artifacts": 1}', 'c')).toThrow(StartError);
  });
});
