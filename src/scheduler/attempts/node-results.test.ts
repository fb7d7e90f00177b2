import assert from 'node:assert/strict'
import { test } from 'node:test'
import { environment as realEnvironment } from '../../base/environment.js'
import type { TraceStep } from '../../base/tracing.js'
import { decideAmong, nodeInfo, podInfo } from '../scheduler.test.kit.js'
import { attemptFrom } from './attempt-log.js'
import { describeScores, nodeResults } from './node-results.js'
import { traceAttempt, traceBinding } from './trace.js'

const heavy = podInfo('heavy', { requests: { cpu: '2', memory: '4Gi' } })
const nodes = [
  nodeInfo('full', { allocatable: { pods: '0' } }),
  nodeInfo('half', {}, [heavy]),
  nodeInfo('empty'),
  nodeInfo('closed', { spec: { unschedulable: true } }),
]
const { decision } = decideAmong(podInfo('p', { requests: { cpu: '400m', memory: '800Mi' } }), nodes)

const attempt = attemptFrom(decision, { at: 5, took: 1, profile: 'default-scheduler' })

test('each node has a rejection or its scores by plugin', () => {
  assert.deepEqual(nodeResults(attempt), [
    { node: 'empty', total: 390, scores: { TaintToleration: 300, NodeResourcesFit: 90 } },
    { node: 'half', total: 340, scores: { TaintToleration: 300, NodeResourcesFit: 40 } },
    { node: 'full', rejectedBy: 'NodeResourcesFit', reasons: ['Too many pods'] },
    { node: 'closed', rejectedBy: 'NodeUnschedulable', reasons: ['node(s) were unschedulable'] },
  ])
})

test('the scores of the chosen and the next best node are described', () => {
  assert.equal(
    describeScores(attempt),
    'empty 390 (TaintToleration 300, NodeResourcesFit 90), half 340 (TaintToleration 300, NodeResourcesFit 40)',
  )
})

test('attempts and bindings are reported to the tracer', () => {
  const environment = realEnvironment()
  const steps: TraceStep[] = []
  environment.tracer.subscribe((step) => steps.push(step))
  traceAttempt(environment, decision.pod, attempt)
  traceBinding(environment, decision.pod, { since: 0, nodeName: 'empty' })
  const told = steps.map((step) => [step.stage, step.decision, step.reason])
  assert.deepEqual(told, [
    ['filter', '2 of 4 nodes feasible', '1 Too many pods, 1 node(s) were unschedulable'],
    ['score', 'empty', describeScores(attempt)],
    ['bind', 'bound to empty', undefined],
  ])
  assert.deepEqual(steps[0]?.subject, { kind: 'Pod', namespace: 'default', name: 'p', uid: 'p', resourceVersion: '1' })
})
