import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Node } from '../api/core/v1/node.js'
import { Pod } from '../api/core/v1/pod.js'
import { untoleratedTaint } from '../api/core/v1/taint/tolerations.js'
import type { Taint } from '../api/core/v1/taint.js'
import { Quantity } from '../schema/values/quantity.js'
import { SchedulerHarness } from './harness.test.kit.js'

const taint: Taint = { key: 'k', effect: 'NoSchedule' }
const nodeNames = ['na', 'nb', 'nc'] as const
const podNames = ['p', 'q', 'r', 's', 't', 'u'] as const

const action = fc.oneof(
  fc.record({
    do: fc.constantFrom('put node', 'cordon', 'uncordon', 'taint', 'untaint', 'delete node'),
    node: fc.constantFrom(...nodeNames),
    cpu: fc.constantFrom('1', '2', '4'),
  }),
  fc.record({
    do: fc.constantFrom('add pod', 'add pod', 'delete pod', 'gate', 'ungate', 'wait'),
    pod: fc.constantFrom(...podNames),
    cpu: fc.constantFrom('500m', '1', '3'),
    isTolerant: fc.boolean(),
  }),
)
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

/** Random actions may be impossible in the current state. */
const ignoreImpossible = (error: unknown) => {
  if (!/not found|already exists|is invalid|Forbidden/i.test(String(error))) throw error
}

async function act(each: Action, harness: SchedulerHarness): Promise<void> {
  const nodes = harness.client.resource(Node)
  const pods = harness.client.resource(Pod).in('default')
  if ('node' in each) {
    const patch = (spec: object) => nodes.patch(each.node, 'merge', { spec })
    if (each.do === 'put node') await harness.addNode(each.node, { allocatable: { cpu: each.cpu } })
    if (each.do === 'cordon') await patch({ unschedulable: true })
    if (each.do === 'uncordon') await patch({ unschedulable: null })
    if (each.do === 'taint') await patch({ taints: [taint] })
    if (each.do === 'untaint') await patch({ taints: null })
    if (each.do === 'delete node') await nodes.delete(each.node)
    return
  }
  const tolerations = each.isTolerant ? { tolerations: [{ key: 'k', operator: 'Exists' as const }] } : {}
  const gated = each.do === 'gate' ? { schedulingGates: [{ name: 'example.com/gate' }] } : {}
  if (each.do === 'add pod' || each.do === 'gate')
    await harness.addPod(each.pod, { requests: { cpu: each.cpu }, spec: { ...tolerations, ...gated } })
  if (each.do === 'delete pod') await pods.delete(each.pod, { gracePeriodSeconds: 0 })
  if (each.do === 'ungate') await pods.patch(each.pod, 'merge', { spec: { schedulingGates: null } })
  if (each.do === 'wait') await harness.clock.advance('3s')
}

function cpuOf(text: string | undefined): number {
  return Quantity.parse(text ?? '0').milliValue()
}

/** A naive filter, computed from the objects. */
function fits(pod: Pod, node: Node, pods: readonly Pod[]): boolean {
  if (node.spec.unschedulable) return false
  if (untoleratedTaint(node.spec.taints, pod.spec.tolerations, ['NoSchedule', 'NoExecute'])) return false
  const here = pods.filter(({ spec }) => spec.nodeName === node.metadata.name)
  const asked = [...here, pod].map(({ spec }) => cpuOf(spec.containers[0]?.resources?.requests?.cpu))
  return asked.reduce((sum, each) => sum + each, 0) <= cpuOf(node.status.allocatable?.cpu)
}

test('a pod that fits a node never waits, and no node exceeds its capacity', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 40 }), fc.integer(), async (actions, seed) => {
      await using harness = await SchedulerHarness.create(seed)
      await harness.startScheduler()
      for (const each of actions) await act(each, harness).catch(ignoreImpossible)
      // Longer than the maximum backoff, and shorter than the five minutes after which every pod is scheduled again.
      await harness.clock.advance('11s')
      const [pods, nodes] = [await harness.pods(), (await harness.client.resource(Node).list()).items]
      for (const pod of pods.filter(({ spec }) => !spec.nodeName && !spec.schedulingGates?.length))
        for (const node of nodes) assert.ok(!fits(pod, node, pods), `${pod.metadata.name} fits ${node.metadata.name}`)
      for (const node of nodes) {
        const here = pods.filter(({ spec }) => spec.nodeName === node.metadata.name)
        const [first, ...others] = here
        const room = { ...node, spec: {} }
        // A node that was deleted and added again may be smaller than its pods.
        if (first && !actions.some((each) => each.do === 'delete node'))
          assert.ok(fits(first, room, others), `${node.metadata.name} exceeds its capacity`)
      }
    }),
    { numRuns: 25 },
  )
})
