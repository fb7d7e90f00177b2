import { Deployment } from '../../api/apps/v1/deployment.js'
import { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import { Pod } from '../../api/core/v1/pod.js'
import { ReplicationController } from '../../api/core/v1/replication-controller.js'
import { ResourceQuota } from '../../api/core/v1/resource-quota.js'
import { LabelSelector } from '../../api/selectors/label-selector.js'
import { parseDuration, toMilliseconds } from '../../base/duration.js'
import type { AnyObject, Given } from '../../client/resource-client.js'
import type { JsonObject, Schema } from '../../schema/declaration.js'
import type { ControllerHarness } from '../harness.test.kit.js'
import { byCreation, FakeKubelet } from './kubelet.test.kit.js'
import { isActive, isReady } from './readiness.js'
import { changeOf, containersOf, type Words, wordsOf, workload } from './scenario-objects.test.kit.js'
import { eventLines, objectLines, WorkloadView } from './scenario-views.test.kit.js'

const namespace = 'shop'

const kinds: Readonly<Record<string, Schema>> = {
  deployment: Deployment,
  replicaset: ReplicaSet,
  replicationcontroller: ReplicationController,
  pod: Pod,
}

type Command = (...words: string[]) => Promise<unknown>

/** The commands in which stories of workloads are told. */
export class WorkloadScenario {
  readonly #harness: ControllerHarness
  readonly #kubelet: FakeKubelet
  readonly #view: WorkloadView
  #lastState = ''

  constructor(harness: ControllerHarness) {
    this.#harness = harness
    this.#kubelet = new FakeKubelet(harness)
    this.#view = new WorkloadView(harness.informers)
  }

  /** Gives what is to be seen when everything has come to rest. */
  readonly perform = async (line: string): Promise<readonly string[]> => {
    const [name = '', ...words] = line.split(' ')
    if (name === 'wait') return this.#wait(words[0]!)
    const command = this.#commands[name]
    if (!command) throw new Error(`what does ${name} mean?`)
    const seen = ((await this.#harness.settle(command(...words))) ?? []) as readonly string[]
    // A retry after a conflict takes some milliseconds.
    await this.#harness.clock.advance(50)
    return [...seen, ...this.#changes()]
  }

  readonly #commands: Readonly<Record<string, Command>> = {
    deployment: (name, ...words) => this.#create(Deployment, workload(name!, wordsOf(words), matchLabels)),
    replicaset: (name, ...words) => this.#create(ReplicaSet, workload(name!, wordsOf(words), matchLabels)),
    replicationcontroller: (name, ...words) =>
      this.#create(
        ReplicationController,
        workload(name!, wordsOf(words), (labels) => labels),
      ),
    pod: (name, ...labels) =>
      this.#create(Pod, { metadata: { name, labels: wordsOf(labels) }, spec: containersOf({}) }),
    quota: (name, pods) => this.#quota(name!, pods!),
    set: (kind, name, ...words) => this.#set(kind!, name!, wordsOf(words)),
    label: (kind, name, ...words) => this.#merge(kind!, name!, { metadata: { labels: labelsOf(wordsOf(words)) } }),
    delete: (kind, name, propagationPolicy) => this.#delete(kind!, name!, propagationPolicy as 'Orphan' | undefined),
    undo: (name, revision) => this.#undo(name!, revision!),
    ready: (selector, count) =>
      this.#onPods(selector!, count, { which: isNotReady, act: (pod) => this.#kubelet.ready(pod) }),
    unready: (selector, count) =>
      this.#onPods(selector!, count, { which: isReady, act: (pod) => this.#kubelet.unready(pod) }),
    fail: (selector, count) =>
      this.#onPods(selector!, count, { which: isActive, act: (pod) => this.#kubelet.end(pod, 'Failed') }),
    remove: (selector, count) =>
      this.#onPods(selector!, count, { which: isActive, act: (pod) => this.#kubelet.remove(pod) }),
    kubelet: async (...words) => this.#startKubelet(wordsOf(words)),
    kill: () => this.#harness.stop(),
    start: async () => this.#harness.start(),
    show: async (kind, ...fields) => objectLines((await this.#resource(kinds[kind!]!).list()).items, fields),
    events: () => eventLines(this.#harness.client, namespace),
  }

  /** Time passes; every second in which something changed is told. */
  async #wait(span: string): Promise<readonly string[]> {
    const { clock } = this.#harness
    const seen: string[] = []
    const end = clock.now() + toMilliseconds(parseDuration(span))
    while (clock.now() < end) {
      await clock.advance(1000 - (clock.now() % 1000))
      const done = this.#kubelet.tick()
      if (done) await this.#harness.settle(done)
      seen.push(...this.#changes())
    }
    return seen
  }

  #changes(): readonly string[] {
    const lines = this.#view.lines()
    const state = lines.join('\n')
    if (state === this.#lastState) return []
    this.#lastState = state
    const time = new Date(this.#harness.clock.now()).toISOString().slice(11, 19)
    return lines.map((line) => `${time}  ${line}`)
  }

  #resource<S extends Schema>(kind: S) {
    return this.#harness.client.resource(kind).in(namespace)
  }

  async #create(kind: Schema, object: JsonObject): Promise<void> {
    await this.#resource(kind).create(object as unknown as Given<AnyObject>)
  }

  async #merge(kind: string, name: string, patch: JsonObject): Promise<void> {
    await this.#resource(kinds[kind]!).patch(name, 'merge', patch)
  }

  async #set(kind: string, name: string, words: Words): Promise<void> {
    const { spec, ...rest } = changeOf(words) as { readonly spec?: JsonObject }
    const template = words.image && { template: { spec: containersOf(words) } }
    await this.#merge(kind, name, { ...rest, spec: { ...spec, ...template } })
  }

  async #delete(kind: string, name: string, propagationPolicy?: 'Orphan'): Promise<void> {
    await this.#resource(kinds[kind]!).delete(name, propagationPolicy ? { propagationPolicy } : {})
  }

  /** What `kubectl rollout undo` does. */
  async #undo(name: string, revision: string): Promise<void> {
    const { items } = await this.#resource(ReplicaSet).list()
    const old = items.find(({ metadata }) => metadata.annotations?.['deployment.kubernetes.io/revision'] === revision)
    const { 'pod-template-hash': _, ...labels } = old!.spec.template!.metadata!.labels!
    const value = { ...old!.spec.template, metadata: { labels } }
    await this.#resource(Deployment).patch(name, 'json', [{ op: 'replace', path: '/spec/template', value }])
  }

  async #quota(name: string, pods: string): Promise<void> {
    const quotas = this.#resource(ResourceQuota)
    const hard = { pods }
    const { items } = await quotas.list()
    if (items.length === 0) await quotas.create({ metadata: { name }, spec: { hard } })
    else await quotas.patch(name, 'merge', { spec: { hard } })
    const used = items[0]?.status.used ?? { pods: '0' }
    await quotas.subresource('status').patch(name, 'merge', { status: { hard, used } })
  }

  /** The oldest pods first; all of them unless a number is given. */
  async #onPods(selector: string, count: string | undefined, { which, act }: Attention): Promise<void> {
    const { matches } = LabelSelector.parse(selector)
    const { items } = await this.#resource(Pod).list()
    const pods = items.filter((pod) => matches(pod.metadata.labels ?? {}) && isActive(pod) && which(pod))
    for (const pod of pods.sort(byCreation).slice(0, Number(count ?? pods.length))) await act(pod)
  }

  #startKubelet({ start = '5s', stop = '2s', broken = '', nodes = '3' }: Words): void {
    this.#kubelet.options = {
      start: toMilliseconds(parseDuration(start)),
      stop: toMilliseconds(parseDuration(stop)),
      broken: broken.split(','),
      nodes: Number(nodes),
    }
  }
}

function isNotReady(pod: Pod): boolean {
  return !isReady(pod)
}

interface Attention {
  readonly which: (pod: Pod) => boolean
  readonly act: (pod: Pod) => Promise<void>
}

function matchLabels(labels: JsonObject): JsonObject {
  return { matchLabels: labels }
}

/** `app=` takes a label away. */
function labelsOf(words: Words): JsonObject {
  return Object.fromEntries(Object.entries(words).map(([key, value]) => [key, value === '' ? null : value]))
}
