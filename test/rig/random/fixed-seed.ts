import { configureGlobal } from 'fast-check';
import { SEED } from './seed.ts';

/** Properties are tried with the same values at every run, so that a test is red or green, not both. */
configureGlobal({ seed: SEED });
