import { cases, dialectSample, groupSample } from '@packhouse/conformance';
import { sampleSeed } from '@packhouse/fixtures';
import { served } from './support/served.ts';
import { testRuntime } from './support/test-runtime.ts';

const seed = sampleSeed('commit');
const quick = cases.filter(({ slow = false }) => !slow);
testRuntime('node', served('node'), {
  neutral: seed === undefined ? cases : groupSample(quick, seed),
  cloudflare: seed === undefined ? dialectSample(cases) : [],
});
