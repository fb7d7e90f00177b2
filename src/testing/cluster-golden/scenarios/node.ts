import type { Scenario } from '../scenario.js'
import { containerInsides } from './container-contents.js'
import { podTroubles } from './pod-failures.js'
import { podLives } from './pod-lifecycle.js'
import { podChanges } from './pod-updates.js'

/** The kubelet: on one real node, which has the images. */
export const node: readonly Scenario[] = [...podLives, ...podTroubles, ...containerInsides, ...podChanges]
