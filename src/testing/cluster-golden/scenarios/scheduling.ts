import type { Scenario } from '../scenario.js'
import { placingTogether } from './scheduling-pod-groups.js'
import { placing } from './scheduling-single-pods.js'

/** The scheduler. Nodes are made by hand, and nothing runs on them. */
export const scheduling: readonly Scenario[] = [...placing, ...placingTogether]
