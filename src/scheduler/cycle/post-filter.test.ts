import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pod } from '../../api/core/v1/pod.js'
import { sleep } from '../../base/clock.js'
import { ClusterSnapshot } from '../cache/snapshot.js'
import type { PostFilterDependencies, SchedulerPlugin } from '../framework/plugin.js'
import { decideAmong, nodeInfo, podInfo, sampleProfile } from '../scheduler.test.kit.js'
import { World } from '../world.test.kit.js'
import { runPostFilterPlugins } from './post-filter.js'

const nodes = [nodeInfo('na', { spec: { unschedulable: true } })]

function failure() {
  const snapshot = new ClusterSnapshot(nodes)
  const { decision, filters } = decideAmong(podInfo('p'), nodes)
  return { decision, filters, snapshot, nominated: { onNode: () => [] }, random: undefined as never }
}

function saying(message: string, nominatedNode?: string): SchedulerPlugin {
  return { name: message, postFilter: () => ({ message, ...(nominatedNode !== undefined && { nominatedNode }) }) }
}

test('if nobody can make room, what each of them says is told', async () => {
  const profile = sampleProfile({ postFilter: [saying('no new claims to deallocate'), saying('preemption: no', '')] })
  const message = 'no new claims to deallocate, preemption: no'
  assert.deepEqual(await runPostFilterPlugins(profile, failure()), { message, nominatedNode: '' })
})

test('the first who can make room is listened to, and nothing is told', async () => {
  const profile = sampleProfile({ postFilter: [saying('no'), saying('', 'na'), saying('', 'nb')] })
  assert.deepEqual(await runPostFilterPlugins(profile, failure()), { message: '', nominatedNode: 'na' })
})

/** Makes room for the pod `new` by removing another one, and takes a second longer than that. */
function removing(name: string, { fails = false } = {}): SchedulerPlugin {
  const execute = async ({ client, environment }: PostFilterDependencies) => {
    if (fails) throw new Error('it could not be removed')
    await client.resource(Pod).in('default').delete(name, { gracePeriodSeconds: 0 })
    await sleep(environment.clock, 1000)
  }
  return {
    name: 'Remover',
    postFilter: ({ decision }) =>
      decision.pod.key === 'default/new'
        ? { message: '', nominatedNode: 'na', execute }
        : { message: 'preemption: no' },
  }
}

async function fullNode(postFilter: readonly SchedulerPlugin[]): Promise<World> {
  const world = await World.begin()
  await world.addNode('na', { allocatable: { cpu: '1' } })
  await world.start({ profiles: { 'default-scheduler': () => sampleProfile({ postFilter }) } })
  await world.addPod('old', { requests: { cpu: '1' } })
  await world.rest()
  await world.addPod('new', { requests: { cpu: '1' } })
  await world.rest()
  return world
}

test('a pod for which room is made is tried when that is done, and sees what happened meanwhile', async () => {
  await using world = await fullNode([removing('old')])
  const { spec, status } = await world.pod('new')
  assert.equal(spec.nodeName, undefined)
  assert.equal(status.nominatedNodeName, 'na')
  assert.equal(status.conditions?.[0]?.message, '0/1 nodes are available: 1 Insufficient cpu.')
  await world.clock.advance('1s')
  assert.deepEqual(await world.placements(), ['new on na'])
})

test('while room is made for a pod, no other takes it', async () => {
  await using world = await fullNode([removing('old')])
  await world.addPod('other', { requests: { cpu: '1' } })
  await world.clock.advance('5s')
  assert.equal((await world.pod('new')).spec.nodeName, 'na')
  assert.equal((await world.pod('other')).spec.nodeName, undefined)
})

test('where room could not be made, the pod is tried again later, and none is kept for it', async () => {
  await using world = await fullNode([removing('old', { fails: true })])
  await world.client.resource(Pod).in('default').delete('old', { gracePeriodSeconds: 0 })
  await world.clock.advance('2s')
  assert.deepEqual(await world.placements(), ['new on na'])
})
