import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Node } from '../api/core/v1/node.js'
import { Pod } from '../api/core/v1/pod.js'
import type { Random } from '../base/random.js'
import { seededRandom } from '../base/random.js'
import { SchedulerHarness } from './harness.test.kit.js'
import { fitsNaively, type NaiveCluster } from './naive-filters.test.kit.js'
import type { PodParts } from './scheduler.test.kit.js'

/**
 * A cluster with random changes: nodes are added, deleted, cordoned and tainted; pods are added in groups, end, and wait for gates. After
 * every step the invariants are checked on the objects themselves.
 */
class Simulation {
  readonly #harness: SchedulerHarness
  readonly #random: Random
  #nodes = 0
  #pods = 0
  /** Nodes of scheduled pods, by uid: a pod never changes its node. */
  readonly #placed = new Map<string, string>()

  constructor(harness: SchedulerHarness, random: Random) {
    this.#harness = harness
    this.#random = random
  }

  get pods(): number {
    return this.#pods
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#random.integer(items.length)]!
  }

  async addNodes(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const labels = { zone: this.#pick(['east', 'west', 'north']), disk: this.#pick(['ssd', 'tape']) }
      const allocatable = { cpu: this.#pick(['4', '8', '16']), memory: '32Gi', pods: '40' }
      await this.#harness.addNode(`node-${this.#nodes++}`, { labels, allocatable })
    }
  }

  async addPods(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await this.#harness.addPod(`pod-${this.#pods++}`, this.#somePod())
  }

  #somePod(): PodParts {
    const app = this.#pick(['a', 'b', 'c', 'd'])
    const requests = { cpu: this.#pick(['100m', '250m', '1', '3']), memory: this.#pick(['64Mi', '1Gi']) }
    const apart = [{ labelSelector: { matchLabels: { app } }, topologyKey: 'kubernetes.io/hostname' }]
    const spread = { maxSkew: 2, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' as const }
    const specs: readonly PodParts['spec'][] = [
      {},
      {},
      {},
      { nodeSelector: { disk: 'ssd' } },
      { tolerations: [{ operator: 'Exists' }] },
      { schedulingGates: [{ name: 'example.com/gate' }] },
      { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: apart } } },
      { topologySpreadConstraints: [{ ...spread, labelSelector: { matchLabels: { app } } }] },
    ]
    return { metadata: { labels: { app } }, requests, spec: this.#pick(specs) ?? {} }
  }

  /** Makes one random change. */
  async change(): Promise<void> {
    const nodes = await this.#allNodes()
    const { client } = this.#harness
    const node = nodes.length > 0 ? this.#pick(nodes).metadata.name! : undefined
    const patch = (spec: object) => node !== undefined && client.resource(Node).patch(node, 'merge', { spec })
    const changes: readonly (() => unknown)[] = [
      () => this.addNodes(1 + this.#random.integer(3)),
      () => this.#removeNode(node),
      () => patch({ unschedulable: true }),
      () => patch({ unschedulable: null }),
      () => patch({ taints: [{ key: 'repair', effect: 'NoSchedule' }] }),
      () => patch({ taints: null }),
      () => this.#openGates(),
      () => this.#endPods(),
      () => this.addPods(20 + this.#random.integer(40)),
      () => this.addPods(20 + this.#random.integer(40)),
    ]
    await this.#pick(changes)()
  }

  /** Deletes its pods as well, as the pod garbage collector does. */
  async #removeNode(name: string | undefined): Promise<void> {
    if (name === undefined) return
    await this.#harness.client.resource(Node).delete(name)
    for (const pod of await this.#harness.pods()) if (pod.spec.nodeName === name) await this.#remove(pod)
  }

  async #endPods(): Promise<void> {
    const placed = (await this.#harness.pods()).filter(({ spec }) => spec.nodeName)
    for (const pod of placed) if (this.#random.float() < 0.2) await this.#remove(pod)
  }

  async #openGates(): Promise<void> {
    const gated = (await this.#harness.pods()).filter(({ spec }) => spec.schedulingGates?.length)
    const pods = this.#harness.client.resource(Pod).in('default')
    for (const { metadata } of gated) await pods.patch(metadata.name!, 'merge', { spec: { schedulingGates: null } })
  }

  #remove({ metadata }: Pod): Promise<void> {
    return this.#harness.client.resource(Pod).in('default').delete(metadata.name!, { gracePeriodSeconds: 0 })
  }

  async #allNodes(): Promise<readonly Node[]> {
    return (await this.#harness.client.resource(Node).list()).items
  }

  /** No pod changed its node, no node exceeds its capacity, and no waiting pod fits. */
  async check(): Promise<void> {
    const [pods, nodes] = [await this.#harness.pods(), await this.#allNodes()]
    for (const { metadata, spec } of pods) {
      if (!spec.nodeName) continue
      assert.equal(spec.nodeName, this.#placed.get(metadata.uid!) ?? spec.nodeName, `${metadata.name} changed its node`)
      this.#placed.set(metadata.uid!, spec.nodeName)
    }
    const placed = pods.filter(({ spec }) => spec.nodeName)
    const naive: NaiveCluster = { nodes, pods: placed, namespaces: { default: {} } }
    for (const node of nodes) checkCapacity(node, naive)
    for (const pod of pods.filter(({ spec }) => !spec.nodeName && !spec.schedulingGates?.length))
      for (const node of nodes)
        assert.ok(!fitsNaively(pod, node, naive), `${pod.metadata.name} waits, but fits ${node.metadata.name}`)
  }
}

/** Checks resources only: taints and labels may have changed after the pods were scheduled. */
function checkCapacity(node: Node, { nodes, pods }: NaiveCluster): void {
  const [first, ...others] = pods.filter(({ spec }) => spec.nodeName === node.metadata.name)
  if (!first) return
  const { containers } = first.spec
  const bare = { ...first, spec: { containers } } as Pod
  const open = { ...node, spec: {} } as Node
  const strangers = others.map((pod) => ({ ...pod, metadata: { ...pod.metadata, labels: {} } }) as Pod)
  const plain = strangers.map((pod) => ({ ...pod, spec: { ...pod.spec, affinity: {} } }) as Pod)
  assert.ok(
    fitsNaively(bare, open, { nodes, pods: plain, namespaces: {} }),
    `${node.metadata.name} exceeds its capacity`,
  )
}

for (const seed of [1])
  test(`a cluster with random changes over hours keeps all invariants (seed ${seed})`, async () => {
    await using harness = await SchedulerHarness.create(seed)
    await harness.startScheduler()
    const simulation = new Simulation(harness, seededRandom(seed))
    await simulation.addNodes(12)
    for (let step = 0; step < 60; step++) {
      await simulation.change()
      // Longer than the maximum backoff, and shorter than the five minutes after which every pod is scheduled again.
      await harness.clock.advance('11s')
      await simulation.check()
      if (step % 10 === 9) await harness.clock.advance('1h')
    }
    assert.ok(simulation.pods > 300, `only ${simulation.pods} pods were added`)
  })
