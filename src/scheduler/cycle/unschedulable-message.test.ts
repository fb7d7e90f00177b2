import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideAmong, nodeInfo, podInfo, sampleProfile } from '../scheduler.test.kit.js'
import { unschedulableMessage } from './unschedulable-message.js'

test('reasons are counted over the nodes and sorted as text', () => {
  const nodes = [
    nodeInfo('na', { spec: { unschedulable: true } }),
    nodeInfo('nb', { spec: { taints: [{ key: 'team', effect: 'NoSchedule' }] } }),
    nodeInfo('nc', { allocatable: { cpu: '1' } }),
    nodeInfo('nd', { allocatable: { cpu: '1', memory: '1Gi' } }),
  ]
  const { decision } = decideAmong(podInfo('p', { requests: { cpu: '2', memory: '2Gi' } }), nodes)
  assert.equal(
    unschedulableMessage(decision, ''),
    '0/4 nodes are available: 1 Insufficient memory, 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable, 2 Insufficient cpu.',
  )
})

test('what was found out about making room comes last', () => {
  const { decision } = decideAmong(podInfo('p', { requests: { cpu: '5' } }), [nodeInfo('na')])
  const rescue = 'preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.'
  assert.equal(unschedulableMessage(decision, rescue), `0/1 nodes are available: 1 Insufficient cpu. ${rescue}`)
})

test('without a single node there are no numbers', () => {
  const { decision } = decideAmong(podInfo('p'), [])
  assert.equal(unschedulableMessage(decision, ''), 'no nodes available to schedule pods')
})

test('a plugin that refuses the pod as such is told once, not for each node', () => {
  const rejection = {
    plugin: 'Strict',
    reasons: ['pod has unbound immediate PersistentVolumeClaims'],
    isResolvable: false,
  }
  const profile = sampleProfile({ filter: [{ name: 'Strict', preFilter: () => rejection }] })
  const { decision } = decideAmong(podInfo('p'), [nodeInfo('na'), nodeInfo('nb')], { profile })
  assert.equal(
    unschedulableMessage(decision, ''),
    '0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims.',
  )
})

test('nodes that were not looked at are said not to satisfy whoever named the only ones that could do', () => {
  const only = { nodes: new Set(['na']), filter: () => undefined }
  const never = { plugin: 'Never', reasons: ['node(s) were never good'], isResolvable: true }
  const filter = [
    { name: 'Only', preFilter: () => only },
    { name: 'Never', preFilter: () => ({ filter: () => never }) },
  ]
  const nodes = ['na', 'nb', 'nc'].map((name) => nodeInfo(name))
  const { decision } = decideAmong(podInfo('p'), nodes, { profile: sampleProfile({ filter }) })
  assert.equal(
    unschedulableMessage(decision, ''),
    "0/3 nodes are available: 1 node(s) were never good, 2 node(s) didn't satisfy plugin(s) [Only].",
  )
})
