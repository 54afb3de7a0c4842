import baseline from '@packhouse/conformance/baselines/workerd.json' with { type: 'json' };
import { served } from './support/served.ts';
import { testRuntime } from './support/test-runtime.ts';

testRuntime('workerd', served('workerd'), { knownToFail: baseline.deviations.map((deviation) => deviation.case) });
