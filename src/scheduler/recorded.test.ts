/** Scenarios recorded with upstream v1.36: the same nodes and pods must get the same nodes and messages, to the letter. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NodeSelectorRequirement } from '../api/core/v1/affinity/node-selector.js'
import type { Affinity } from '../api/core/v1/affinity.js'
import { Node } from '../api/core/v1/node.js'
import type { PodSpec, TopologySpreadConstraint } from '../api/core/v1/pod/spec.js'
import { Pod } from '../api/core/v1/pod.js'
import { PriorityClass } from '../api/scheduling/v1/priority-class.js'
import { SchedulerHarness } from './harness.test.kit.js'
import type { NodeParts, PodParts } from './scheduler.test.kit.js'

async function harnessWith(nodes: Readonly<Record<string, NodeParts>>): Promise<SchedulerHarness> {
  const harness = await SchedulerHarness.create()
  for (const [name, parts] of Object.entries(nodes)) await harness.addNode(name, parts)
  await harness.startScheduler()
  return harness
}

async function add(harness: SchedulerHarness, pods: Readonly<Record<string, PodParts>>): Promise<void> {
  for (const [name, parts] of Object.entries(pods)) await harness.addPod(name, parts)
  await harness.settle()
}

/** The node of each pod, or the message of its condition. */
async function results(harness: SchedulerHarness): Promise<Readonly<Record<string, string>>> {
  const entries = (await harness.pods()).map(({ metadata, spec, status }) => {
    const condition = status.conditions?.find(({ type }) => type === 'PodScheduled')
    return [metadata.name!, spec.nodeName || condition?.message || 'not attempted'] as const
  })
  return Object.fromEntries(entries)
}

const labelled = (app: string): PodParts => ({ metadata: { labels: { app } } })
const zone = (name: string): NodeParts => ({ labels: { zone: name } })
const noRoom = (nodes: number, preemption: string) =>
  `no new claims to deallocate, preemption: 0/${nodes} nodes are available: ${preemption}.`
const unhelpful = 'Preemption is not helpful for scheduling'
const noVictims = 'No preemption victims found for incoming pod'

test('node selector, and a label that is added', async () => {
  await using harness = await harnessWith({ na: { labels: { disk: 'ssd' } }, nb: {} })
  await add(harness, {
    ssd: { spec: { nodeSelector: { disk: 'ssd' } } },
    tape: { spec: { nodeSelector: { disk: 'tape' } } },
  })
  assert.deepEqual(await results(harness), {
    ssd: 'na',
    tape: `0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector. ${noRoom(2, `2 ${unhelpful}`)}`,
  })
  await harness.client.resource(Node).patch('nb', 'merge', { metadata: { labels: { disk: 'tape' } } })
  await harness.settle()
  assert.equal((await results(harness)).tape, 'nb')
})

test('node affinity', async () => {
  await using harness = await harnessWith({
    na: { labels: { size: '3', zone: 'east' } },
    nb: { labels: { size: '9', zone: 'west' } },
    nc: { labels: { zone: 'north', only: 'c' } },
  })
  const expression = (key: string, operator: NodeSelectorRequirement['operator'], ...values: string[]) => ({
    key,
    operator,
    ...(values.length > 0 && { values }),
  })
  const requiring = (...terms: readonly object[]): PodParts => ({
    spec: {
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } },
    },
  })
  const by = (...matchExpressions: readonly NodeSelectorRequirement[]) => requiring({ matchExpressions })
  const preference = { weight: 100, preference: { matchExpressions: [expression('zone', 'In', 'north')] } }
  await add(harness, {
    in: by(expression('zone', 'In', 'west', 'south')),
    notin: by(expression('zone', 'NotIn', 'west', 'north')),
    gt: by(expression('size', 'Gt', '5')),
    lt: by(expression('size', 'Lt', '5')),
    exists: by(expression('only', 'Exists')),
    either: requiring(
      { matchExpressions: [expression('zone', 'In', 'nowhere')] },
      { matchExpressions: [expression('only', 'Exists')] },
    ),
    field: requiring({ matchFields: [expression('metadata.name', 'In', 'nb')] }),
    preferred: {
      spec: { affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [preference] } } },
    },
    nofield: requiring({ matchFields: [expression('metadata.name', 'In', 'nx')] }),
    none: by(expression('size', 'Gt', '5'), expression('zone', 'In', 'east')),
  })
  assert.deepEqual(await results(harness), {
    either: 'nc',
    exists: 'nc',
    field: 'nb',
    gt: 'nb',
    in: 'nb',
    lt: 'na',
    nofield: `0/3 nodes are available: 3 node(s) didn't satisfy plugin(s) [NodeAffinity]. ${noRoom(3, `3 ${unhelpful}`)}`,
    none: `0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. ${noRoom(3, `3 ${unhelpful}`)}`,
    notin: 'na',
    preferred: 'nc',
  })
})

test('host ports', async () => {
  await using harness = await harnessWith({ na: {} })
  const using = (port: object, spec: Partial<PodSpec> = {}): PodParts => ({
    spec: { ...spec, containers: [{ name: 'c', image: 'web', ports: [port as never] }] },
  })
  await add(harness, { first: using({ containerPort: 80, hostPort: 8080 }) })
  await add(harness, {
    same: using({ containerPort: 90, hostPort: 8080 }),
    udp: using({ containerPort: 90, hostPort: 8080, protocol: 'UDP' }),
    hostnet: using({ containerPort: 8080 }, { hostNetwork: true }),
  })
  const no = `0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports. ${noRoom(1, `1 ${noVictims}`)}`
  assert.deepEqual(await results(harness), { first: 'na', hostnet: no, same: no, udp: 'na' })
})

test('topology spread', async () => {
  await using harness = await harnessWith({ na: zone('a'), nb: zone('b'), nc: {} })
  const spread = (more: Partial<TopologySpreadConstraint> = {}, spec: Partial<PodSpec> = {}): PodParts => ({
    ...labelled('web'),
    spec: {
      ...spec,
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'zone',
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: { app: 'web' } },
          ...more,
        },
      ],
    },
  })
  await add(harness, {
    e1: { ...labelled('web'), spec: { nodeName: 'na' } },
    e2: { ...labelled('web'), spec: { nodeName: 'na' } },
  })
  await add(harness, { spread: spread() })
  await add(harness, {
    stuck: spread({ nodeAffinityPolicy: 'Ignore' }, { nodeSelector: { zone: 'a' } }),
    nokey: spread({ topologyKey: 'rack' }),
    mindomains: spread({ minDomains: 5 }),
  })
  const uneven = "node(s) didn't match pod topology spread constraints"
  assert.deepEqual(await results(harness), {
    e1: 'na',
    e2: 'na',
    mindomains: `0/3 nodes are available: 1 ${uneven} (missing required label), 2 ${uneven}. ${noRoom(3, `1 ${unhelpful}, 2 ${noVictims}`)}`,
    nokey: `0/3 nodes are available: 3 ${uneven} (missing required label). ${noRoom(3, `3 ${unhelpful}`)}`,
    spread: 'nb',
    stuck: `0/3 nodes are available: 1 ${uneven}, 2 node(s) didn't match Pod's node affinity/selector. ${noRoom(3, `1 ${noVictims}, 2 ${unhelpful}`)}`,
  })
})

const near = (kind: 'podAffinity' | 'podAntiAffinity', app: string, topologyKey: string): { affinity: Affinity } => ({
  affinity: {
    [kind]: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchLabels: { app } }, topologyKey }],
    },
  },
})

test('pod affinity and anti-affinity', async () => {
  await using harness = await harnessWith({ na: zone('a'), nb: zone('b') })
  await add(harness, { db: { ...labelled('db'), spec: { nodeName: 'na' } } })
  await add(harness, {
    near: { spec: near('podAffinity', 'db', 'zone') },
    far: { ...labelled('far'), spec: near('podAntiAffinity', 'db', 'zone') },
  })
  await add(harness, {
    lonely: { spec: near('podAffinity', 'nothing', 'zone') },
    self: { ...labelled('selfie'), spec: near('podAffinity', 'selfie', 'zone') },
    neither: { spec: { ...near('podAntiAffinity', 'db', 'zone'), nodeSelector: { zone: 'a' } } },
    badkey: { spec: near('podAffinity', 'db', 'rack') },
  })
  const { self, ...others } = await results(harness)
  assert.match(self!, /^n[ab]$/)
  const notNear = `0/2 nodes are available: 2 node(s) didn't match pod affinity rules. ${noRoom(2, `2 ${unhelpful}`)}`
  assert.deepEqual(others, {
    badkey: notNear,
    db: 'na',
    far: 'nb',
    lonely: notNear,
    near: 'na',
    neither: `0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) didn't match pod anti-affinity rules. ${noRoom(2, `1 ${noVictims}, 1 ${unhelpful}`)}`,
  })
})

test('pod anti-affinity of existing pods', async () => {
  await using harness = await harnessWith({ na: zone('a') })
  await add(harness, { hermit: { spec: { nodeName: 'na', ...near('podAntiAffinity', 'web', 'zone') } } })
  await add(harness, { w: labelled('web'), other: labelled('other') })
  assert.deepEqual(await results(harness), {
    hermit: 'na',
    other: 'na',
    w: `0/1 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules. ${noRoom(1, `1 ${noVictims}`)}`,
  })
})

test('several reasons', async () => {
  await using harness = await harnessWith({
    na: { spec: { unschedulable: true } },
    nb: { spec: { taints: [{ key: 'team', value: 'blue', effect: 'NoSchedule' }] } },
    nc: { allocatable: { cpu: '1' } },
    nd: { labels: { disk: 'hdd' } },
    ne: { allocatable: { cpu: '1', memory: '1Gi' } },
  })
  const absent = { matchExpressions: [{ key: 'disk', operator: 'DoesNotExist' as const }] }
  const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [absent] } } }
  await add(harness, {
    p: { requests: { cpu: '2', memory: '2Gi' }, spec: { affinity } },
    q: { spec: { nodeSelector: { disk: 'ssd' }, tolerations: [{ operator: 'Exists' }] } },
    r: { requests: { cpu: '5' }, spec: { tolerations: [{ key: 'team', operator: 'Exists' }] } },
  })
  assert.deepEqual(await results(harness), {
    p: `0/5 nodes are available: 1 Insufficient memory, 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable, 2 Insufficient cpu. ${noRoom(5, `5 ${unhelpful}`)}`,
    q: `0/5 nodes are available: 5 node(s) didn't match Pod's node affinity/selector. ${noRoom(5, `5 ${unhelpful}`)}`,
    r: `0/5 nodes are available: 1 node(s) were unschedulable, 4 Insufficient cpu. ${noRoom(5, `5 ${unhelpful}`)}`,
  })
})

async function addPriorities(harness: SchedulerHarness): Promise<void> {
  const classes = harness.client.resource(PriorityClass)
  await classes.create({ metadata: { name: 'high' }, value: 1000 })
  await classes.create({ metadata: { name: 'low' }, value: 10 })
  await classes.create({ metadata: { name: 'polite' }, value: 1000, preemptionPolicy: 'Never' })
}

const important = (cpu: string, priorityClassName: string): PodParts => ({
  requests: { cpu },
  spec: { priorityClassName },
})

/** The fields that were recorded. */
async function recordedFields(harness: SchedulerHarness, name: string): Promise<object> {
  const { metadata, spec, status } = await harness.pod(name)
  const conditions = status.conditions?.map(({ lastTransitionTime: _, ...rest }) => rest)
  return {
    node: spec.nodeName,
    nominated: status.nominatedNodeName,
    isTerminating: !!metadata.deletionTimestamp,
    conditions,
  }
}

test('preemption', async () => {
  await using harness = await harnessWith({ na: { allocatable: { cpu: '2' } } })
  await addPriorities(harness)
  await add(harness, { victim: important('1500m', 'low') })
  await add(harness, { small: important('100m', 'low') })
  await add(harness, { vip: important('1', 'high') })
  const placed = { type: 'PodScheduled', status: 'True', lastProbeTime: null }
  assert.deepEqual(await recordedFields(harness, 'victim'), {
    node: 'na',
    nominated: undefined,
    isTerminating: true,
    conditions: [
      {
        type: 'DisruptionTarget',
        observedGeneration: 1,
        status: 'True',
        lastProbeTime: null,
        reason: 'PreemptionByScheduler',
        message: 'default-scheduler: preempting to accommodate a higher priority pod',
      },
      placed,
    ],
  })
  assert.deepEqual(await recordedFields(harness, 'vip'), {
    node: undefined,
    nominated: 'na',
    isTerminating: false,
    conditions: [
      {
        type: 'PodScheduled',
        observedGeneration: 1,
        status: 'False',
        lastProbeTime: null,
        reason: 'Unschedulable',
        message: '0/1 nodes are available: 1 Insufficient cpu.',
      },
    ],
  })
  await harness.client.resource(Pod).in('default').delete('victim', { gracePeriodSeconds: 0 })
  await harness.clock.advance('2s')
  assert.deepEqual(await results(harness), { small: 'na', vip: 'na' })
  const { uid } = (await harness.pod('vip')).metadata
  assert.deepEqual(await harness.events(), [
    'FailedScheduling vip: 0/1 nodes are available: 1 Insufficient cpu.',
    `Preempted victim: Preempted by pod ${uid} on node na`,
    'Scheduled small: Successfully assigned default/small to na',
    'Scheduled victim: Successfully assigned default/victim to na',
    'Scheduled vip: Successfully assigned default/vip to na',
  ])
})

test('preemption: not possible', async () => {
  await using harness = await harnessWith({
    na: { allocatable: { cpu: '2' } },
    nb: { allocatable: { cpu: '2' }, spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } },
  })
  await addPriorities(harness)
  await add(harness, { equal: important('1500m', 'high') })
  await add(harness, { same: important('1', 'high'), never: important('1', 'polite'), huge: important('9', 'high') })
  const why = '0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s).'
  assert.deepEqual(await results(harness), {
    equal: 'na',
    huge: `${why} ${noRoom(2, `2 ${unhelpful}`)}`,
    never: `${why} no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never.`,
    same: `${why} ${noRoom(2, `1 ${noVictims}, 1 ${unhelpful}`)}`,
  })
})

test('matchLabelKeys counts pods of the same revision, mismatchLabelKeys avoids other tenants', async () => {
  await using harness = await harnessWith({ na: zone('a'), nb: zone('b') })
  const of = (labels: Readonly<Record<string, string>>, spec: Partial<PodSpec>): PodParts => ({
    metadata: { labels },
    spec,
  })
  await add(harness, { old: of({ app: 'web', hash: '1', tenant: 'x' }, { nodeName: 'na' }) })
  const spread = (more: object) => ({
    nodeSelector: { zone: 'a' },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'zone',
        whenUnsatisfiable: 'DoNotSchedule' as const,
        nodeAffinityPolicy: 'Ignore' as const,
        labelSelector: { matchLabels: { app: 'web' } },
        ...more,
      },
    ],
  })
  const otherTenants = {
    labelSelector: { matchExpressions: [{ key: 'tenant', operator: 'Exists' as const }] },
    topologyKey: 'zone',
    mismatchLabelKeys: ['tenant'],
  }
  const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [otherTenants] } }
  await add(harness, {
    all: of({ app: 'web', hash: '2' }, spread({})),
    revision: of({ app: 'web', hash: '2' }, spread({ matchLabelKeys: ['hash'] })),
    tenant: of({ tenant: 'x' }, { affinity, nodeSelector: { zone: 'a' } }),
    stranger: of({ tenant: 'y' }, { affinity, nodeSelector: { zone: 'a' } }),
  })
  const { all, revision, tenant, stranger } = await results(harness)
  assert.match(all!, /1 node\(s\) didn't match pod topology spread constraints/)
  assert.deepEqual([revision, tenant], ['na', 'na'])
  assert.match(stranger!, /1 node\(s\) didn't match pod anti-affinity rules/)
})
