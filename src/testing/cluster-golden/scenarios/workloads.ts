import type { ClusterScenario } from '../scenario.js'
import { daemonAndStatefulSets } from './daemon-and-stateful-sets.js'
import { deployments } from './deployments.js'
import { garbageCollection } from './garbage-collection.js'
import { jobs } from './jobs.js'
import { replicaSets } from './replica-sets.js'
import { servicesAndBudgets } from './services-and-budgets.js'
import { volumesAndNodes } from './volumes-and-nodes.js'

/** The control loops, without a kubelet: pods stay where they are, or the runner writes their status. */
export const workloadScenarios: readonly ClusterScenario[] = [
  ...deployments,
  ...replicaSets,
  ...jobs,
  ...daemonAndStatefulSets,
  ...garbageCollection,
  ...servicesAndBudgets,
  ...volumesAndNodes,
]
