import { testShallowRepository } from '../src/contract/repository/shallow-repository.ts';
import { emptyNodeRepository } from './node-repository.ts';

testShallowRepository('SQLite and files', emptyNodeRepository);
