import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pod } from '../../api/core/v1/pod.js'
import { sleep } from '../../base/clock.js'
import { ClusterSnapshot } from '../cache/snapshot.js'
import type { PostFilterDependencies, SchedulerPlugin } from '../framework/plugin.js'
import { SchedulerHarness } from '../harness.test.kit.js'
import { decideAmong, nodeInfo, podInfo, sampleProfile } from '../scheduler.test.kit.js'
import { runPostFilterPlugins } from './post-filter.js'

const nodes = [nodeInfo('na', { spec: { unschedulable: true } })]

function context() {
  const snapshot = new ClusterSnapshot(nodes)
  const { decision, filters } = decideAmong(podInfo('p'), nodes)
  return { decision, filters, snapshot, nominated: { onNode: () => [] }, random: undefined as never }
}

function withMessage(message: string, nominatedNode?: string): SchedulerPlugin {
  return { name: message, postFilter: () => ({ message, ...(nominatedNode !== undefined && { nominatedNode }) }) }
}

test('if no PostFilter plugin nominates a node, their messages are combined', async () => {
  const profile = sampleProfile({
    postFilter: [withMessage('no new claims to deallocate'), withMessage('preemption: no', '')],
  })
  const message = 'no new claims to deallocate, preemption: no'
  assert.deepEqual(await runPostFilterPlugins(profile, context()), { message, nominatedNode: '' })
})

test('the first PostFilter plugin that nominates a node ends the search', async () => {
  const profile = sampleProfile({ postFilter: [withMessage('no'), withMessage('', 'na'), withMessage('', 'nb')] })
  assert.deepEqual(await runPostFilterPlugins(profile, context()), { message: '', nominatedNode: 'na' })
})

/** Makes room for the pod `new` by deleting another pod, and ends one second later. */
function deleting(name: string, { fails = false } = {}): SchedulerPlugin {
  const execute = async ({ client, environment }: PostFilterDependencies) => {
    if (fails) throw new Error('the pod could not be deleted')
    await client.resource(Pod).in('default').delete(name, { gracePeriodSeconds: 0 })
    await sleep(environment.clock, 1000)
  }
  return {
    name: 'Deleter',
    postFilter: ({ decision }) =>
      decision.pod.key === 'default/new'
        ? { message: '', nominatedNode: 'na', execute }
        : { message: 'preemption: no' },
  }
}

async function fullNode(postFilter: readonly SchedulerPlugin[]): Promise<SchedulerHarness> {
  const harness = await SchedulerHarness.create()
  await harness.addNode('na', { allocatable: { cpu: '1' } })
  await harness.startScheduler({ profiles: { 'default-scheduler': () => sampleProfile({ postFilter }) } })
  await harness.addPod('old', { requests: { cpu: '1' } })
  await harness.settle()
  await harness.addPod('new', { requests: { cpu: '1' } })
  await harness.settle()
  return harness
}

test('a pod is scheduled again when its preemption has ended, and no event in between is lost', async () => {
  await using harness = await fullNode([deleting('old')])
  const { spec, status } = await harness.pod('new')
  assert.equal(spec.nodeName, undefined)
  assert.equal(status.nominatedNodeName, 'na')
  assert.equal(status.conditions?.[0]?.message, '0/1 nodes are available: 1 Insufficient cpu.')
  await harness.clock.advance('1s')
  assert.deepEqual(await harness.placements(), ['new on na'])
})

test('no other pod takes the room while preemption runs', async () => {
  await using harness = await fullNode([deleting('old')])
  await harness.addPod('other', { requests: { cpu: '1' } })
  await harness.clock.advance('5s')
  assert.equal((await harness.pod('new')).spec.nodeName, 'na')
  assert.equal((await harness.pod('other')).spec.nodeName, undefined)
})

test('after a failed preemption the pod is scheduled again and has no nomination', async () => {
  await using harness = await fullNode([deleting('old', { fails: true })])
  await harness.client.resource(Pod).in('default').delete('old', { gracePeriodSeconds: 0 })
  await harness.clock.advance('2s')
  assert.deepEqual(await harness.placements(), ['new on na'])
})
