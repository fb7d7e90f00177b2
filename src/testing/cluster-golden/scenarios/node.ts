import type { ClusterScenario } from '../scenario.js'
import { containerContents } from './container-contents.js'
import { podFailures } from './pod-failures.js'
import { podLifecycle } from './pod-lifecycle.js'
import { podUpdates } from './pod-updates.js'

/** The kubelet: on one real node, which has the images. */
export const nodeScenarios: readonly ClusterScenario[] = [
  ...podLifecycle,
  ...podFailures,
  ...containerContents,
  ...podUpdates,
]
