import { printResult, type Command } from '@packhouse/command';
import { chosenCases, onlyOption } from './cases.ts';

export const listCommand: Command = {
  words: ['list'],
  summary: 'List the cases of the conformance suite',
  arguments: [],
  options: [onlyOption, { name: 'json', description: 'Print the list as one line of JSON' }],
  examples: ['list', "list --only 'git/*' --json", 'list --only GIT-091'],
  async run(invocation, io) {
    const cases = await chosenCases(invocation, io);
    const facts = cases.map(({ id, requirements, level, beyond = false, needs = [], settings, explanation }) => ({
      id,
      requirements,
      level,
      beyond,
      needs,
      settings: settings ?? null,
      explanation,
    }));
    printResult(invocation, io, facts, () => {
      const texts = facts.map(({ id, requirements, level, needs, settings, explanation }) => {
        const values = settings === null ? '' : ` ${JSON.stringify(settings)}`;
        const needed = needs.length === 0 ? '' : `; needs ${needs.join(', ')}${values}`;
        return `${id}\n  ${explanation}\n  ${level}: ${requirements.join(', ')}${needed}\n`;
      });
      return `${texts.join('')}${facts.length} cases\n`;
    });
    return 0;
  },
};
