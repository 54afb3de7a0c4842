import { testShallowRepository } from './contract/shallow-repository.ts';
import { emptyNodeRepository } from './node-repository.test.util.ts';

testShallowRepository('SQLite and files', emptyNodeRepository);
