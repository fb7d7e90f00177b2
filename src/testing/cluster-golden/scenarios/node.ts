import type { Scenario } from '../scenario.js'
import { containerInsides } from './container-insides.js'
import { podChanges } from './pod-changes.js'
import { podLives } from './pod-lives.js'
import { podTroubles } from './pod-troubles.js'

/** The kubelet: on one real node, which has the images. */
export const node: readonly Scenario[] = [...podLives, ...podTroubles, ...containerInsides, ...podChanges]
