import type { Scenario } from '../scenario.js'
import { placing } from './placing.js'
import { placingTogether } from './placing-together.js'

/** The scheduler. Nodes are made by hand, and nothing runs on them. */
export const scheduling: readonly Scenario[] = [...placing, ...placingTogether]
