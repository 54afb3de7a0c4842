import { CliError, type Invocation, type OptionSpec } from '@packhouse/command';
import { dialects } from '../core/dialect.ts';

/** The options that say what is tested, and how. A report keeps them, so that a run can be repeated. */
export const targetOptions: readonly OptionSpec[] = [
  { name: 'account', value: 'ID', description: 'The account', default: 'local' },
  {
    name: 'dialect',
    value: 'NAME',
    choices: Object.keys(dialects),
    description: 'The set of wire constants of the service (default: found out)',
  },
  {
    name: 'git',
    value: 'URL',
    description:
      'An empty repository of any Git server, in place of URL; "{name}" in it gives each case a separate one (default: none)',
  },
  {
    name: 'read-only',
    description: 'Change nothing: only cases that read; with --git, of a repository that exists',
  },
  {
    name: 'setting',
    value: 'NAME=VALUE',
    repeatable: true,
    description: 'A setting that the service has, such as deny_non_fast_forward=true, for the cases that need it',
  },
  { name: 'settings', value: 'FILE', description: 'A JSON file of such settings, or its URL (default: none)' },
  {
    name: 'zone',
    value: 'HOST',
    description: 'A hostname that serves platform errors, or its origin, as http://127.0.0.1:8787 (default: none)',
  },
  {
    name: 'zone-id',
    value: 'ID',
    description: 'ID of a zone of the account, whose resources the API token may tag (default: none)',
  },
  {
    name: 'import-url',
    value: 'URL',
    description: 'A small repository on a public host, to be imported (default: none)',
  },
  {
    name: 'binding-url',
    value: 'URL',
    description: 'Where a probe beside the runtime binding is (default: none)',
  },
  {
    name: 'runs',
    value: 'N',
    description:
      'How many times as many random inputs as usual properties try; the time limit grows with it (default: 1)',
  },
  {
    name: 'public-service',
    description: 'The service is the public one: report what goes beyond it as such, never as a failure',
  },
];

/** The options about this run alone. */
export const speedOptions: readonly OptionSpec[] = [
  { name: 'concurrency', value: 'N', description: 'How many cases run at once', default: '4' },
  { name: 'rate', value: 'N', description: 'The most requests a second (default: as many as the service takes)' },
  { name: 'time-limit', value: 'SECONDS', description: 'How long one case may take', default: '120' },
];

/** @throws {CliError} kind `usage`. */
export function numberOf(invocation: Invocation, option: string, min: number, max: number): number | undefined {
  const text = invocation.text(option);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new CliError('usage', `--${option} cannot be "${text}".`, `Write a whole number from ${min} to ${max}.`);
}
