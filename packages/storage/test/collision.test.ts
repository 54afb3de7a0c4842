import { testCollision } from '@packhouse/git/contract';
import { emptyNodeRepository } from './node-repository.ts';

testCollision('SQLite and files', emptyNodeRepository);
