import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readme } from './readme-blocks.ts';

const source = (path: string): string => readFileSync(new URL(`../../src/${path}`, import.meta.url), 'utf8');

/** Returns the first cells of the table under a heading, without the head and code marks. */
function firstCells(heading: string): string[] {
  const section = readme.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, cell = '']) => cell);
}

/** Returns the members of an interface from its source. */
function membersOf(name: string, text: string): string[] {
  const [, body = ''] = new RegExp(`interface ${name} [^]*?\\{\n([^]*?)^\\}`, 'm').exec(text) ?? [];
  return [...body.matchAll(/^  readonly (\w+)\??:/gm)].map(([, member = '']) => member);
}

it('the README names every option', () => {
  const options = [
    ...membersOf('CatalogueOptions', source('catalogue/catalogue.ts')),
    ...membersOf('PlatformErrorOptions', source('response/options.ts')),
  ];
  expect(options.length).toBeGreaterThan(10);
  expect(firstCells('Options').toSorted()).toEqual(options.toSorted());
});

it('the README names every option of fetchOrigin', () => {
  const options = membersOf('OriginOptions', source('origin/fetch-origin.ts'));
  expect(firstCells('Fetching from an origin').toSorted()).toEqual(options.toSorted());
});

it('the README names every event of the log', () => {
  const events = [...source('response/log.ts').matchAll(/event: '([\w-]+)'/g)].map(([, event = '']) => event);
  expect(events.length).toBeGreaterThan(3);
  expect(firstCells('Log records').toSorted()).toEqual(events.toSorted());
});
