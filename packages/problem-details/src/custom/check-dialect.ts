import { isToken, membersOf, type Refuse } from './check.ts';

const texts = ['name', 'marker', 'platformCategory', 'footer', 'rayIdHeader'];
const pairsOfTexts = ['types', 'boxTokens'];
const ofPair = ['below1000', 'from1000'];

/** Refuses what is no dialect, such as the name of one (REPO-004). */
export const checkDialect = (dialect: unknown, refuse: Refuse): void => {
  const members = membersOf(dialect, 'dialect', [...texts, ...pairsOfTexts], refuse);
  for (const name of texts) checkText(members.get(name), `dialect.${name}`, refuse);
  for (const name of pairsOfTexts) {
    const pair = membersOf(members.get(name), `dialect.${name}`, ofPair, refuse);
    for (const one of ofPair) checkText(pair.get(one), `dialect.${name}.${one}`, refuse);
  }
  if (!isToken(members.get('rayIdHeader'))) refuse('dialect.rayIdHeader', 'must be the name of a header');
};

const checkText = (value: unknown, member: string, refuse: Refuse): void => {
  if (typeof value !== 'string' || value === '') refuse(member, 'must be text that is not empty');
};
