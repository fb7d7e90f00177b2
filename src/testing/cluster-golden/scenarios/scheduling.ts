import type { ClusterScenario } from '../scenario.js'
import { schedulingPodGroups } from './scheduling-pod-groups.js'
import { schedulingSinglePods } from './scheduling-single-pods.js'

/** The scheduler. Nodes are made by hand, and nothing runs on them. */
export const schedulingScenarios: readonly ClusterScenario[] = [...schedulingSinglePods, ...schedulingPodGroups]
