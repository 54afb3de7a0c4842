import { testCollision } from './contract/collision.ts';
import { emptyNodeRepository } from './node-repository.test.util.ts';

testCollision('SQLite and files', emptyNodeRepository);
