import { boundInMemory } from '../support/bound-memory.ts';
import { testBinding } from '../support/bound.ts';

testBinding('memory', boundInMemory);
