import { testCollision } from '../src/contract/repository/collision.ts';
import { emptyNodeRepository } from './node-repository.ts';

testCollision('SQLite and files', emptyNodeRepository);
