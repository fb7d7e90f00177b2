import type { NodeCondition } from '../../api/core/v1/node/status.js'
import { Node } from '../../api/core/v1/node.js'
import { formatTime } from '../../schema/values/time.js'
import { changeTaints, type TaintName } from '../nodes/taints.js'
import type { ControllerBuilder } from '../runtime/builder.js'
import type { Controller, ReconcileContext } from '../runtime/reconcile.js'

type ByStatus = Partial<Record<NodeCondition['status'], string>>

/** Which condition, in which state, keeps pods away under which name. */
const taintKeys: Readonly<Record<string, ByStatus>> = {
  Ready: { False: 'node.kubernetes.io/not-ready', Unknown: 'node.kubernetes.io/unreachable' },
  MemoryPressure: { True: 'node.kubernetes.io/memory-pressure' },
  DiskPressure: { True: 'node.kubernetes.io/disk-pressure' },
  NetworkUnavailable: { True: 'node.kubernetes.io/network-unavailable' },
  PIDPressure: { True: 'node.kubernetes.io/pid-pressure' },
}
const unschedulable = 'node.kubernetes.io/unschedulable'
const ours = new Set([...Object.values(taintKeys).flatMap((byStatus) => Object.values(byStatus)), unschedulable])

/** Keeps new pods away from nodes by what they say of themselves, and their labels in step. */
export function conditionTaints(builder: ControllerBuilder): Controller {
  return builder
    .for(Node)
    .workers(8)
    .reconcile(async (name, context) => {
      const node = context.informers.of(Node).get(name)
      if (!node) return
      await changeTaints(context.client, node, {
        ...taintsToChange(node),
        now: formatTime(context.environment.clock.now()),
      })
      await keepLabelsInStep(node, context)
    })
}

/** Which taints a node lacks by its conditions, and which it has without cause. */
export function taintsToChange({ spec, status }: Node): { readonly add: TaintName[]; readonly remove: TaintName[] } {
  const wanted = new Set((status.conditions ?? []).flatMap((each) => taintKeys[each.type]?.[each.status] ?? []))
  if (spec.unschedulable) wanted.add(unschedulable)
  const remove = (spec.taints ?? []).filter(
    ({ key, effect }) => effect === 'NoSchedule' && ours.has(key) && !wanted.has(key),
  )
  return { add: [...wanted].map((key) => ({ key, effect: 'NoSchedule' })), remove }
}

/** What was called otherwise once is still asked for under its old name. */
const oldNames = [
  ['kubernetes.io/os', 'beta.kubernetes.io/os'],
  ['kubernetes.io/arch', 'beta.kubernetes.io/arch'],
] as const

async function keepLabelsInStep({ metadata }: Node, { client }: ReconcileContext): Promise<void> {
  const labels = labelsToChange(metadata.labels ?? {})
  if (Object.keys(labels).length === 0) return
  await client.resource(Node).patch(metadata.name!, 'strategic', { metadata: { labels } })
}

export function labelsToChange(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    oldNames.flatMap(([name, oldName]) => {
      const value = labels[name]
      return value === undefined || labels[oldName] === value ? [] : [[oldName, value]]
    }),
  )
}
