import { inMemory } from './support/memory.ts';
import { testRuntime } from './support/test-runtime.ts';

testRuntime('memory', inMemory, { allTwice: true });
