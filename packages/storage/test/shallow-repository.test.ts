import { testShallowRepository } from '@packhouse/git/contract';
import { emptyNodeRepository } from './node-repository.ts';

testShallowRepository('SQLite and files', emptyNodeRepository);
