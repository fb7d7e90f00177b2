/** Classes for what must run before everything else. */
export const priorityClasses: readonly object[] = [
  priorityClass(
    'system-node-critical',
    2_000_001_000,
    'Used for system critical pods that must not be moved from their current node.',
  ),
  priorityClass(
    'system-cluster-critical',
    2_000_000_000,
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  ),
]

function priorityClass(name: string, value: number, description: string): object {
  return {
    kind: 'PriorityClass',
    apiVersion: 'scheduling.k8s.io/v1',
    metadata: { name },
    value,
    description,
    preemptionPolicy: 'PreemptLowerPriority',
  }
}
