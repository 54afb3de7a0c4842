import { isName } from '../catalogue/check-entry.ts';
import { plainTextFault } from '../catalogue/check-texts.ts';
import { isMisread } from '../catalogue/misread-word.ts';
import { booleanOf, isToken, membersOf, type Refuse } from './check.ts';

const texts = ['name', 'marker', 'platformCategory', 'footer', 'rayIdHeader'];
const pairsOfTexts = ['types', 'boxTokens'];
const ofPair = ['below1000', 'from1000'];

/** Refuses a value that is not a dialect, such as the name of one (REPO-004). */
export const checkDialect = (dialect: unknown, refuse: Refuse): void => {
  if (typeof dialect === 'string') refuse('dialect', 'must be an object such as the import `cloudflare`, not its name');
  const members = membersOf(dialect, 'dialect', [...texts, ...pairsOfTexts, 'sharedTypes', 'guidanceMember'], refuse);
  for (const name of texts) checkText(members.get(name), `dialect.${name}`, refuse);
  for (const name of pairsOfTexts) {
    const pair = membersOf(members.get(name), `dialect.${name}`, ofPair, refuse);
    for (const one of ofPair) checkText(pair.get(one), `dialect.${name}.${one}`, refuse);
  }
  checkSharedTypes(members.get('sharedTypes') ?? [], refuse);
  booleanOf(members.get('guidanceMember') ?? true, 'dialect.guidanceMember', refuse);
  if (!isMarker(members.get('marker')))
    refuse('dialect.marker', 'must be lower-case words joined by `_`, the last of them `error` and the first not `x`');
  const category = members.get('platformCategory');
  if (!isName(category) || isMisread(category))
    refuse(
      'dialect.platformCategory',
      'must be lower-case words joined by `_`, and none that YAML reads as something else',
    );
  const fault = plainTextFault('footer', members.get('footer'));
  if (fault !== undefined) refuse('dialect.footer', fault);
  if (!isToken(members.get('rayIdHeader'))) refuse('dialect.rayIdHeader', 'must be the name of a header');
};

/**
 * Tests if a name can be the marker. No other member ends like it, and those of own codes begin with `x_` (ERR-035).
 */
const isMarker = (name: unknown): boolean => isName(name) && name.endsWith('_error') && !name.startsWith('x_');

const checkSharedTypes = (value: unknown, refuse: Refuse): void => {
  const member = 'dialect.sharedTypes';
  if (!Array.isArray(value)) refuse(member, 'must be a list');
  for (const item of value as unknown[]) {
    const shared = membersOf(item, member, ['type', 'codes'], refuse);
    checkText(shared.get('type'), `${member}.type`, refuse);
    const codes = shared.get('codes');
    if (!Array.isArray(codes) || !codes.every(Number.isInteger)) refuse(`${member}.codes`, 'must be a list of codes');
  }
};

const checkText = (value: unknown, member: string, refuse: Refuse): void => {
  if (typeof value !== 'string' || value === '') refuse(member, 'must be text that is not empty');
};
