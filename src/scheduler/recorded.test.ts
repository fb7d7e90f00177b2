/** What was recorded of upstream v1.36: the same nodes and pods, and what it says of them, to the letter. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NodeSelectorRequirement } from '../api/core/v1/affinity/node-selector.js'
import type { Affinity } from '../api/core/v1/affinity.js'
import { Node } from '../api/core/v1/node.js'
import type { PodSpec, TopologySpreadConstraint } from '../api/core/v1/pod/spec.js'
import { Pod } from '../api/core/v1/pod.js'
import { PriorityClass } from '../api/scheduling/v1/priority-class.js'
import type { NodeParts, PodParts } from './scheduler.test.kit.js'
import { World } from './world.test.kit.js'

async function worldOf(nodes: Readonly<Record<string, NodeParts>>): Promise<World> {
  const world = await World.begin()
  for (const [name, parts] of Object.entries(nodes)) await world.addNode(name, parts)
  await world.start()
  return world
}

async function add(world: World, pods: Readonly<Record<string, PodParts>>): Promise<void> {
  for (const [name, parts] of Object.entries(pods)) await world.addPod(name, parts)
  await world.rest()
}

/** Where each pod is, or what its condition says. */
async function verdicts(world: World): Promise<Readonly<Record<string, string>>> {
  const entries = (await world.pods()).map(({ metadata, spec, status }) => {
    const condition = status.conditions?.find(({ type }) => type === 'PodScheduled')
    return [metadata.name!, spec.nodeName || condition?.message || 'not tried'] as const
  })
  return Object.fromEntries(entries)
}

const labelled = (app: string): PodParts => ({ metadata: { labels: { app } } })
const zone = (name: string): NodeParts => ({ labels: { zone: name } })
const noRoom = (nodes: number, preemption: string) =>
  `no new claims to deallocate, preemption: 0/${nodes} nodes are available: ${preemption}.`
const unhelpful = 'Preemption is not helpful for scheduling'
const nobody = 'No preemption victims found for incoming pod'

test('node selector, and a label that appears', async () => {
  await using world = await worldOf({ na: { labels: { disk: 'ssd' } }, nb: {} })
  await add(world, {
    ssd: { spec: { nodeSelector: { disk: 'ssd' } } },
    tape: { spec: { nodeSelector: { disk: 'tape' } } },
  })
  assert.deepEqual(await verdicts(world), {
    ssd: 'na',
    tape: `0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector. ${noRoom(2, `2 ${unhelpful}`)}`,
  })
  await world.client.resource(Node).patch('nb', 'merge', { metadata: { labels: { disk: 'tape' } } })
  await world.rest()
  assert.equal((await verdicts(world)).tape, 'nb')
})

test('node affinity', async () => {
  await using world = await worldOf({
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
  await add(world, {
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
  assert.deepEqual(await verdicts(world), {
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
  await using world = await worldOf({ na: {} })
  const using = (port: object, spec: Partial<PodSpec> = {}): PodParts => ({
    spec: { ...spec, containers: [{ name: 'c', image: 'web', ports: [port as never] }] },
  })
  await add(world, { first: using({ containerPort: 80, hostPort: 8080 }) })
  await add(world, {
    same: using({ containerPort: 90, hostPort: 8080 }),
    udp: using({ containerPort: 90, hostPort: 8080, protocol: 'UDP' }),
    hostnet: using({ containerPort: 8080 }, { hostNetwork: true }),
  })
  const no = `0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports. ${noRoom(1, `1 ${nobody}`)}`
  assert.deepEqual(await verdicts(world), { first: 'na', hostnet: no, same: no, udp: 'na' })
})

test('topology spread', async () => {
  await using world = await worldOf({ na: zone('a'), nb: zone('b'), nc: {} })
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
  await add(world, {
    e1: { ...labelled('web'), spec: { nodeName: 'na' } },
    e2: { ...labelled('web'), spec: { nodeName: 'na' } },
  })
  await add(world, { spread: spread() })
  await add(world, {
    stuck: spread({ nodeAffinityPolicy: 'Ignore' }, { nodeSelector: { zone: 'a' } }),
    nokey: spread({ topologyKey: 'rack' }),
    mindomains: spread({ minDomains: 5 }),
  })
  const uneven = "node(s) didn't match pod topology spread constraints"
  const said = await verdicts(world)
  assert.deepEqual(said, {
    e1: 'na',
    e2: 'na',
    mindomains: `0/3 nodes are available: 1 ${uneven} (missing required label), 2 ${uneven}. ${noRoom(3, `1 ${unhelpful}, 2 ${nobody}`)}`,
    nokey: `0/3 nodes are available: 3 ${uneven} (missing required label). ${noRoom(3, `3 ${unhelpful}`)}`,
    spread: 'nb',
    stuck: `0/3 nodes are available: 1 ${uneven}, 2 node(s) didn't match Pod's node affinity/selector. ${noRoom(3, `1 ${nobody}, 2 ${unhelpful}`)}`,
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
  await using world = await worldOf({ na: zone('a'), nb: zone('b') })
  await add(world, { db: { ...labelled('db'), spec: { nodeName: 'na' } } })
  await add(world, {
    near: { spec: near('podAffinity', 'db', 'zone') },
    far: { ...labelled('far'), spec: near('podAntiAffinity', 'db', 'zone') },
  })
  await add(world, {
    lonely: { spec: near('podAffinity', 'nothing', 'zone') },
    self: { ...labelled('selfie'), spec: near('podAffinity', 'selfie', 'zone') },
    neither: { spec: { ...near('podAntiAffinity', 'db', 'zone'), nodeSelector: { zone: 'a' } } },
    badkey: { spec: near('podAffinity', 'db', 'rack') },
  })
  const { self, ...others } = await verdicts(world)
  assert.match(self!, /^n[ab]$/)
  const notNear = `0/2 nodes are available: 2 node(s) didn't match pod affinity rules. ${noRoom(2, `2 ${unhelpful}`)}`
  assert.deepEqual(others, {
    badkey: notNear,
    db: 'na',
    far: 'nb',
    lonely: notNear,
    near: 'na',
    neither: `0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) didn't match pod anti-affinity rules. ${noRoom(2, `1 ${nobody}, 1 ${unhelpful}`)}`,
  })
})

test('pod anti-affinity of those already there', async () => {
  await using world = await worldOf({ na: zone('a') })
  await add(world, { hermit: { spec: { nodeName: 'na', ...near('podAntiAffinity', 'web', 'zone') } } })
  await add(world, { w: labelled('web'), other: labelled('other') })
  assert.deepEqual(await verdicts(world), {
    hermit: 'na',
    other: 'na',
    w: `0/1 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules. ${noRoom(1, `1 ${nobody}`)}`,
  })
})

test('a mixture of reasons', async () => {
  await using world = await worldOf({
    na: { spec: { unschedulable: true } },
    nb: { spec: { taints: [{ key: 'team', value: 'blue', effect: 'NoSchedule' }] } },
    nc: { allocatable: { cpu: '1' } },
    nd: { labels: { disk: 'hdd' } },
    ne: { allocatable: { cpu: '1', memory: '1Gi' } },
  })
  const absent = { matchExpressions: [{ key: 'disk', operator: 'DoesNotExist' as const }] }
  const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [absent] } } }
  await add(world, {
    p: { requests: { cpu: '2', memory: '2Gi' }, spec: { affinity } },
    q: { spec: { nodeSelector: { disk: 'ssd' }, tolerations: [{ operator: 'Exists' }] } },
    r: { requests: { cpu: '5' }, spec: { tolerations: [{ key: 'team', operator: 'Exists' }] } },
  })
  assert.deepEqual(await verdicts(world), {
    p: `0/5 nodes are available: 1 Insufficient memory, 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable, 2 Insufficient cpu. ${noRoom(5, `5 ${unhelpful}`)}`,
    q: `0/5 nodes are available: 5 node(s) didn't match Pod's node affinity/selector. ${noRoom(5, `5 ${unhelpful}`)}`,
    r: `0/5 nodes are available: 1 node(s) were unschedulable, 4 Insufficient cpu. ${noRoom(5, `5 ${unhelpful}`)}`,
  })
})

async function addPriorities(world: World): Promise<void> {
  const classes = world.client.resource(PriorityClass)
  await classes.create({ metadata: { name: 'high' }, value: 1000 })
  await classes.create({ metadata: { name: 'low' }, value: 10 })
  await classes.create({ metadata: { name: 'polite' }, value: 1000, preemptionPolicy: 'Never' })
}

const important = (cpu: string, priorityClassName: string): PodParts => ({
  requests: { cpu },
  spec: { priorityClassName },
})

/** As the recordings show a pod. */
async function shown(world: World, name: string): Promise<object> {
  const { metadata, spec, status } = await world.pod(name)
  const conditions = status.conditions?.map(({ lastTransitionTime: _, ...rest }) => rest)
  return {
    node: spec.nodeName,
    nominated: status.nominatedNodeName,
    isLeaving: !!metadata.deletionTimestamp,
    conditions,
  }
}

test('preemption', async () => {
  await using world = await worldOf({ na: { allocatable: { cpu: '2' } } })
  await addPriorities(world)
  await add(world, { victim: important('1500m', 'low') })
  await add(world, { small: important('100m', 'low') })
  await add(world, { vip: important('1', 'high') })
  const placed = { type: 'PodScheduled', status: 'True', lastProbeTime: null }
  assert.deepEqual(await shown(world, 'victim'), {
    node: 'na',
    nominated: undefined,
    isLeaving: true,
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
  assert.deepEqual(await shown(world, 'vip'), {
    node: undefined,
    nominated: 'na',
    isLeaving: false,
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
  await world.client.resource(Pod).in('default').delete('victim', { gracePeriodSeconds: 0 })
  await world.clock.advance('2s')
  assert.deepEqual(await verdicts(world), { small: 'na', vip: 'na' })
  const { uid } = (await world.pod('vip')).metadata
  assert.deepEqual(await world.events(), [
    'FailedScheduling vip: 0/1 nodes are available: 1 Insufficient cpu.',
    `Preempted victim: Preempted by pod ${uid} on node na`,
    'Scheduled small: Successfully assigned default/small to na',
    'Scheduled victim: Successfully assigned default/victim to na',
    'Scheduled vip: Successfully assigned default/vip to na',
  ])
})

test('preemption: not possible', async () => {
  await using world = await worldOf({
    na: { allocatable: { cpu: '2' } },
    nb: { allocatable: { cpu: '2' }, spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } },
  })
  await addPriorities(world)
  await add(world, { equal: important('1500m', 'high') })
  await add(world, { same: important('1', 'high'), never: important('1', 'polite'), huge: important('9', 'high') })
  const why = '0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s).'
  assert.deepEqual(await verdicts(world), {
    equal: 'na',
    huge: `${why} ${noRoom(2, `2 ${unhelpful}`)}`,
    never: `${why} no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never.`,
    same: `${why} ${noRoom(2, `1 ${nobody}, 1 ${unhelpful}`)}`,
  })
})

test('keys of labels: only pods of the same revision count, and only other tenants are shunned', async () => {
  await using world = await worldOf({ na: zone('a'), nb: zone('b') })
  const of = (labels: Readonly<Record<string, string>>, spec: Partial<PodSpec>): PodParts => ({
    metadata: { labels },
    spec,
  })
  await add(world, { old: of({ app: 'web', hash: '1', tenant: 'x' }, { nodeName: 'na' }) })
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
  const shunning = {
    labelSelector: { matchExpressions: [{ key: 'tenant', operator: 'Exists' as const }] },
    topologyKey: 'zone',
    mismatchLabelKeys: ['tenant'],
  }
  const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [shunning] } }
  await add(world, {
    all: of({ app: 'web', hash: '2' }, spread({})),
    revision: of({ app: 'web', hash: '2' }, spread({ matchLabelKeys: ['hash'] })),
    tenant: of({ tenant: 'x' }, { affinity, nodeSelector: { zone: 'a' } }),
    stranger: of({ tenant: 'y' }, { affinity, nodeSelector: { zone: 'a' } }),
  })
  const { all, revision, tenant, stranger } = await verdicts(world)
  assert.match(all!, /1 node\(s\) didn't match pod topology spread constraints/)
  assert.deepEqual([revision, tenant], ['na', 'na'])
  assert.match(stranger!, /1 node\(s\) didn't match pod anti-affinity rules/)
})
