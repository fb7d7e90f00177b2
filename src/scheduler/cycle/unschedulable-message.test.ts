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

test('the message of PostFilter comes last', () => {
  const { decision } = decideAmong(podInfo('p', { requests: { cpu: '5' } }), [nodeInfo('na')])
  const postFilter = 'preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.'
  assert.equal(unschedulableMessage(decision, postFilter), `0/1 nodes are available: 1 Insufficient cpu. ${postFilter}`)
})

test('without nodes the message has no numbers', () => {
  const { decision } = decideAmong(podInfo('p'), [])
  assert.equal(unschedulableMessage(decision, ''), 'no nodes available to schedule pods')
})

test('a rejection of the pod in PreFilter is given once', () => {
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

test('nodes that were not filtered count under the plugins that excluded them', () => {
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
