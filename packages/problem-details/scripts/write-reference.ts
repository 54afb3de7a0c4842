// Writes docs/errors.md from the catalogue; a test compares it with the code.
import { readFileSync, writeFileSync } from 'node:fs';
import { builtInEntries } from '../src/catalogue/built-in.ts';
import { errorReference } from './reference.ts';

const example = readFileSync(new URL('example.ts', import.meta.url), 'utf8');
writeFileSync(new URL('../../../docs/errors.md', import.meta.url), errorReference(builtInEntries, example));
