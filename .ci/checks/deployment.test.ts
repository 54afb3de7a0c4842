import { parseCommandLine } from '../../packages/command/src/index.ts';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { serveCommand } from '../../packages/cli/src/commands/serve.ts';
import { sharedStorageVariables } from '../../packages/cli/src/runtimes/shared-storage-of.ts';
import { readTracked } from './tracked-files.ts';

interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

interface Container {
  readonly args: readonly string[];
  readonly envFrom: readonly { readonly secretRef: { readonly name: string } }[];
  readonly readinessProbe: { readonly httpGet: { readonly path: string } };
  readonly livenessProbe: { readonly httpGet: { readonly path: string } };
}

const dockerfile = readTracked('deploy/Dockerfile');
const compose = readTracked('deploy/compose.yaml');
const unit = readTracked('deploy/packhouse.service');
const kubernetes = readTracked('deploy/kubernetes.yaml');
const firstHour = readTracked('docs/first-hour.md');

const services: Readonly<Record<string, ComposeService>> = parse(compose, { merge: true }).services;
const servers = Object.entries(services).filter(([, { image }]) => image === 'packhouse');
const [container]: readonly Container[] = parseAllDocuments(kubernetes)
  .map((document) => document.toJS())
  .filter(({ kind }) => kind === 'Deployment')
  .flatMap(({ spec }) => spec.template.spec.containers);

const variables = new Set<string>([...sharedStorageVariables, 'PACKHOUSE_API_TOKEN']);
const unknown = (names: Iterable<string>): readonly string[] => [...names].filter((name) => !variables.has(name));
/** Returns the names in upper case that a text assigns to, as files of variables do. */
const assigned = (text: string): readonly string[] =>
  [...text.matchAll(/^ *([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name);

/** Reads a command line as the program does, which throws for options that do not exist. */
const optionsOf = (words: readonly string[]) => {
  const parsed = parseCommandLine(words, [serveCommand], { env: {}, program: 'packhouse' });
  if (parsed.kind !== 'run') throw new Error(`Not a command to run: ${words.join(' ')}`);
  return parsed.invocation;
};

describe('deploy/', () => {
  it('has a Dockerfile without faults, which serves to others, not as root, and checks its health', () => {
    expect(validate(dockerfile)).toEqual([]);
    const words: string[] = JSON.parse(/^CMD (.*)$/m.exec(dockerfile)?.[1] ?? '');
    expect(optionsOf(words).text('host')).toBe('0.0.0.0');
    expect([...dockerfile.matchAll(/^USER (.*)$/gm)].map(([, user]) => user)).toEqual(['node']);
    expect(dockerfile).toMatch(/^HEALTHCHECK .*\n +CMD .*\/readyz/m);
  });

  it('has a compose file whose servers get options and variables that exist', () => {
    expect(servers).toHaveLength(2);
    for (const [, { command = [], environment = {} }] of servers) {
      expect(optionsOf(command).text('packs')).toMatch(
        new RegExp(`^s3://${services['objects']?.environment?.['S3_BUCKET']}/`),
      );
      expect(unknown(Object.keys(environment))).toEqual([]);
    }
  });

  it('has a compose file whose own variables are those of the steps', () => {
    const read = new Set([...compose.matchAll(/\$\{([A-Z_]+):\?\}/g)].map(([, name = '']) => name));
    const written = new Set(assigned(/cat >\.env <<END\n(.*?)\n *END/s.exec(firstHour)?.[1] ?? ''));
    expect(read).toEqual(written);
  });

  it('has a unit that gives an option that exists, and steps that write variables that exist', () => {
    const words = /^ExecStart=\S+ \S+ (.*)$/m.exec(unit)?.[1]?.split(' ') ?? [];
    expect(optionsOf(words).text('data')).toBe('/var/lib/packhouse');
    const environment = /cat >\/etc\/packhouse\/environment <<END\n(.*?)\n *END/s.exec(firstHour)?.[1] ?? '';
    expect(environment).not.toBe('');
    expect(unknown(assigned(environment))).toEqual([]);
  });

  it('has a Kubernetes file with options and paths that exist, and a secret whose variables exist', () => {
    expect(optionsOf(container?.args ?? []).text('packs')).toMatch(/^s3:/);
    const [, text = '', secret] =
      /cat >packhouse\.env <<END\n(.*?)\nEND\nkubectl create secret generic (\S+) --from-env-file=packhouse\.env$/ms.exec(
        firstHour,
      ) ?? [];
    expect(container?.envFrom).toEqual([{ secretRef: { name: secret } }]);
    expect(assigned(text)).toContain('DATABASE_URL');
    expect(unknown(assigned(text))).toEqual([]);
    expect([container?.readinessProbe, container?.livenessProbe].map((probe) => probe?.httpGet.path)).toEqual([
      '/readyz',
      '/healthz',
    ]);
  });
});
