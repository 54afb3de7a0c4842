import { apiOf } from '../../api/api.ts';
import { apiOptions } from '../../api/options.ts';
import { printResult, shown, type Command } from '@packhouse/command';
import { ifMatchIn } from './if-match.ts';
import { resourceText } from './print.ts';
import { ifMatchOption, resourceArguments, resourceOf, resourceOptions } from './resource.ts';

export const tagGetCommand: Command = {
  words: ['tag', 'get'],
  summary: 'Show the tags of a resource',
  arguments: resourceArguments,
  options: [...resourceOptions, ...apiOptions],
  examples: ['tag get repository default/notes', 'tag get worker_version 7c0e --parent b1d2'],
  async run(invocation, io) {
    const api = apiOf(invocation, io);
    const { resource, tags, about } = await resourceOf(invocation, api, io);
    const result = await api.settle(tags.get(resource), about(false));
    printResult(invocation, io, result, (screen) => resourceText(result, screen));
    return 0;
  },
};

export const tagDeleteCommand: Command = {
  words: ['tag', 'delete'],
  summary: 'Remove all tags of a resource',
  details: 'The resource itself stays as it is. "tag set --merge --remove KEY" removes one tag.',
  arguments: resourceArguments,
  options: [ifMatchOption, ...resourceOptions, ...apiOptions],
  examples: ['tag delete repository default/notes'],
  async run(invocation, io) {
    const ifMatch = ifMatchIn(invocation);
    const api = apiOf(invocation, io);
    const { resource, subject, tags, about } = await resourceOf(invocation, api, io);
    await api.settle(tags.delete(resource, { ifMatch }), about(true));
    printResult(
      invocation,
      io,
      { type: resource.resource_type, id: resource.resource_id },
      () => `Removed all tags of ${shown(subject.name)}.\n`,
    );
    return 0;
  },
};
