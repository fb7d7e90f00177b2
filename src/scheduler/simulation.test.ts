import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Node } from '../api/core/v1/node.js'
import { Pod } from '../api/core/v1/pod.js'
import type { Random } from '../base/random.js'
import { seededRandom } from '../base/random.js'
import { mayBeOn, type NaiveWorld } from './naive-rules.test.kit.js'
import type { PodParts } from './scheduler.test.kit.js'
import { World } from './world.test.kit.js'

/**
 * Hours in the life of a cluster: nodes come, go, are drained and tainted; pods come in waves, end, and wait behind gates. After every step,
 * when everything has come to rest, the rules are looked up one by one in the objects themselves.
 */
class Simulation {
  readonly #world: World
  readonly #random: Random
  #nodes = 0
  #pods = 0
  /** Where pods were put, by uid: nobody is moved. */
  readonly #placed = new Map<string, string>()

  constructor(world: World, random: Random) {
    this.#world = world
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
      await this.#world.addNode(`node-${this.#nodes++}`, { labels, allocatable })
    }
  }

  async addPods(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await this.#world.addPod(`pod-${this.#pods++}`, this.#somePod())
  }

  #somePod(): PodParts {
    const app = this.#pick(['a', 'b', 'c', 'd'])
    const requests = { cpu: this.#pick(['100m', '250m', '1', '3']), memory: this.#pick(['64Mi', '1Gi']) }
    const apart = [{ labelSelector: { matchLabels: { app } }, topologyKey: 'kubernetes.io/hostname' }]
    const spread = { maxSkew: 2, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' as const }
    const wishes: readonly PodParts['spec'][] = [
      {},
      {},
      {},
      { nodeSelector: { disk: 'ssd' } },
      { tolerations: [{ operator: 'Exists' }] },
      { schedulingGates: [{ name: 'example.com/gate' }] },
      { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: apart } } },
      { topologySpreadConstraints: [{ ...spread, labelSelector: { matchLabels: { app } } }] },
    ]
    return { metadata: { labels: { app } }, requests, spec: this.#pick(wishes) ?? {} }
  }

  /** One thing that may happen to a cluster. */
  async happen(): Promise<void> {
    const nodes = await this.#allNodes()
    const { client } = this.#world
    const node = nodes.length > 0 ? this.#pick(nodes).metadata.name! : undefined
    const patch = (spec: object) => node !== undefined && client.resource(Node).patch(node, 'merge', { spec })
    const events: readonly (() => unknown)[] = [
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
    await this.#pick(events)()
  }

  /** Its pods go with it, as the loops of a whole cluster would see to. */
  async #removeNode(name: string | undefined): Promise<void> {
    if (name === undefined) return
    await this.#world.client.resource(Node).delete(name)
    for (const pod of await this.#world.pods()) if (pod.spec.nodeName === name) await this.#remove(pod)
  }

  async #endPods(): Promise<void> {
    const placed = (await this.#world.pods()).filter(({ spec }) => spec.nodeName)
    for (const pod of placed) if (this.#random.float() < 0.2) await this.#remove(pod)
  }

  async #openGates(): Promise<void> {
    const gated = (await this.#world.pods()).filter(({ spec }) => spec.schedulingGates?.length)
    const pods = this.#world.client.resource(Pod).in('default')
    for (const { metadata } of gated) await pods.patch(metadata.name!, 'merge', { spec: { schedulingGates: null } })
  }

  #remove({ metadata }: Pod): Promise<void> {
    return this.#world.client.resource(Pod).in('default').delete(metadata.name!, { gracePeriodSeconds: 0 })
  }

  async #allNodes(): Promise<readonly Node[]> {
    return (await this.#world.client.resource(Node).list()).items
  }

  /** Nobody was moved, no node has more than it can take, and whoever waits fits nowhere. */
  async check(): Promise<void> {
    const [pods, nodes] = [await this.#world.pods(), await this.#allNodes()]
    for (const { metadata, spec } of pods) {
      if (!spec.nodeName) continue
      assert.equal(spec.nodeName, this.#placed.get(metadata.uid!) ?? spec.nodeName, `${metadata.name} was moved`)
      this.#placed.set(metadata.uid!, spec.nodeName)
    }
    const placed = pods.filter(({ spec }) => spec.nodeName)
    const naive: NaiveWorld = { nodes, pods: placed, namespaces: { default: {} } }
    for (const node of nodes) checkRoom(node, naive)
    for (const pod of pods.filter(({ spec }) => !spec.nodeName && !spec.schedulingGates?.length))
      for (const node of nodes)
        assert.ok(!mayBeOn(pod, node, naive), `${pod.metadata.name} waits, and would fit on ${node.metadata.name}`)
  }
}

/** The room that pods take stays the same, whatever becomes of taints and labels after they came. */
function checkRoom(node: Node, { nodes, pods }: NaiveWorld): void {
  const [first, ...others] = pods.filter(({ spec }) => spec.nodeName === node.metadata.name)
  if (!first) return
  const { containers } = first.spec
  const bare = { ...first, spec: { containers } } as Pod
  const open = { ...node, spec: {} } as Node
  const strangers = others.map((pod) => ({ ...pod, metadata: { ...pod.metadata, labels: {} } }) as Pod)
  const plain = strangers.map((pod) => ({ ...pod, spec: { ...pod.spec, affinity: {} } }) as Pod)
  assert.ok(mayBeOn(bare, open, { nodes, pods: plain, namespaces: {} }), `${node.metadata.name} has too many pods`)
}

for (const seed of [1])
  test(`a cluster through hours of comings and goings, told by the number ${seed}`, async () => {
    await using world = await World.begin(seed)
    await world.start()
    const simulation = new Simulation(world, seededRandom(seed))
    await simulation.addNodes(12)
    for (let step = 0; step < 60; step++) {
      await simulation.happen()
      // The longest that a pod is held back for. No timer of five minutes may be what helps.
      await world.clock.advance('11s')
      await simulation.check()
      if (step % 10 === 9) await world.clock.advance('1h')
    }
    assert.ok(simulation.pods > 300, `only ${simulation.pods} pods took part`)
  })
