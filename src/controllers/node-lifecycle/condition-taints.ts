import type { NodeCondition } from '../../api/core/v1/node/status.js'
import { Node } from '../../api/core/v1/node.js'
import { formatTime } from '../../schema/values/time.js'
import { changeTaints, type TaintName } from '../nodes/taints.js'
import type { ControllerBuilder } from '../runtime/builder.js'
import type { Controller } from '../runtime/reconcile.js'

type ByStatus = Partial<Record<NodeCondition['status'], string>>

/** The key of the taint for each status of a condition. */
const taintKeys: Readonly<Record<string, ByStatus>> = {
  Ready: { False: 'node.kubernetes.io/not-ready', Unknown: 'node.kubernetes.io/unreachable' },
  MemoryPressure: { True: 'node.kubernetes.io/memory-pressure' },
  DiskPressure: { True: 'node.kubernetes.io/disk-pressure' },
  NetworkUnavailable: { True: 'node.kubernetes.io/network-unavailable' },
  PIDPressure: { True: 'node.kubernetes.io/pid-pressure' },
}
const unschedulable = 'node.kubernetes.io/unschedulable'
const managedKeys = new Set([...Object.values(taintKeys).flatMap((byStatus) => Object.values(byStatus)), unschedulable])

/** Maintains the taints that keep new pods away from a node, by its conditions, and the old names of its labels. */
export function conditionTaints(builder: ControllerBuilder): Controller {
  return builder
    .for(Node)
    .workers(8)
    .reconcile({
      observe: async (name, { informers }) => informers.of(Node).get(name),
      decide,
      async act({ taints, labels }, node, { client, environment }) {
        await changeTaints(client, node, { ...taints, now: formatTime(environment.clock.now()) })
        if (Object.keys(labels).length > 0)
          await client.resource(Node).patch(node.metadata.name!, 'strategic', { metadata: { labels } })
      },
    })
}

interface ConditionTaintsDecision {
  readonly taints: { readonly add: readonly TaintName[]; readonly remove: readonly TaintName[] }
  readonly labels: Readonly<Record<string, string>>
}

export function decide(node: Node): ConditionTaintsDecision {
  return { taints: taintsToChange(node), labels: labelsToChange(node.metadata.labels ?? {}) }
}

/** The taints that the conditions of a node require, and those that it has without reason. */
export function taintsToChange({ spec, status }: Node): { readonly add: TaintName[]; readonly remove: TaintName[] } {
  const required = new Set((status.conditions ?? []).flatMap((each) => taintKeys[each.type]?.[each.status] ?? []))
  if (spec.unschedulable) required.add(unschedulable)
  const remove = (spec.taints ?? []).filter(
    ({ key, effect }) => effect === 'NoSchedule' && managedKeys.has(key) && !required.has(key),
  )
  return { add: [...required].map((key) => ({ key, effect: 'NoSchedule' })), remove }
}

/** Labels that are still selected by their old names. */
const oldNames = [
  ['kubernetes.io/os', 'beta.kubernetes.io/os'],
  ['kubernetes.io/arch', 'beta.kubernetes.io/arch'],
] as const

export function labelsToChange(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    oldNames.flatMap(([name, oldName]) => {
      const value = labels[name]
      return value === undefined || labels[oldName] === value ? [] : [[oldName, value]]
    }),
  )
}
