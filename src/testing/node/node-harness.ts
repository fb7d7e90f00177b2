import assert from 'node:assert/strict'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { setTimeout as realTime } from 'node:timers/promises'
import type { ContainerState, ContainerStatus } from '../../api/core/v1/container/status.js'
import type { Container } from '../../api/core/v1/container.js'
import { Event } from '../../api/core/v1/event.js'
import { Namespace } from '../../api/core/v1/namespace.js'
import type { PodSpec } from '../../api/core/v1/pod/spec.js'
import { Pod } from '../../api/core/v1/pod.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import { hasReason } from '../../api/errors.js'
import type { Client } from '../../client/client.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import type { TestCluster } from '../cluster.js'
import type { TestNode } from '../containers/test-node.js'

/** The image that every node of these tests has. */
export const nodeTestImage = 'localhost/proa/busybox:1'

/** Runs until SIGTERM, and then exits at once. */
export const idle = 'trap "exit 0" TERM; sleep 1000 & wait'

/** Returns a BusyBox container that runs a script. */
export function script(name: string, words: string, more: Partial<Container> = {}): Container {
  return { name, image: nodeTestImage, command: ['sh', '-c', words], ...more }
}

/** Returns a container that serves its host name on a port. */
export function server(name: string, port: number, more: Partial<Container> = {}): Container {
  const words = `mkdir /tmp/www; hostname > /tmp/www/index.html; httpd -p ${port} -h /tmp/www; ${idle}`
  return script(name, words, more)
}

/** The time limit of every wait, in milliseconds: the host may be busy. */
const waitTimeout = 60_000

interface HttpResult {
  readonly status: number
  readonly body: string
}

/** The namespace of one test on a cluster with a node, and helpers to observe it. */
export class TestNodeHarness {
  readonly cluster: TestCluster
  readonly node: TestNode
  readonly namespace: string
  readonly client: Client

  private constructor(cluster: TestCluster, node: TestNode, namespace: string) {
    this.cluster = cluster
    this.node = node
    this.namespace = namespace
    this.client = cluster.client
  }

  static async begin(cluster: TestCluster, node: TestNode, namespace: string): Promise<TestNodeHarness> {
    const harness = new TestNodeHarness(cluster, node, namespace)
    await harness.client.resource(Namespace).create({ metadata: { name: namespace } })
    await until(() => harness.client.resource(ServiceAccount).in(namespace).get('default').then(Boolean, unlessMissing))
    return harness
  }

  get runtime(): ContainerRuntime {
    return this.node.containerd.runtime
  }

  get pods() {
    return this.client.resource(Pod).in(this.namespace)
  }

  /** Creates a pod on this node, without the scheduler. Default: without a token. */
  run(name: string, spec: Partial<PodSpec> & Pick<PodSpec, 'containers'>, metadata = {}): Promise<Pod> {
    const usual = { nodeName: this.node.name, automountServiceAccountToken: false, terminationGracePeriodSeconds: 1 }
    return this.pods.create({ metadata: { name, ...metadata }, spec: { ...usual, ...spec } })
  }

  /** Creates a pod that runs its containers once. */
  once(name: string, ...containers: readonly Container[]): Promise<Pod> {
    return this.run(name, { restartPolicy: 'Never', containers: [...containers] })
  }

  /** Waits until the pod satisfies `isSo`. */
  async pod(name: string, isSo: (pod: Pod) => boolean): Promise<Pod> {
    return until(async () => {
      const pod = await this.pods.get(name)
      return isSo(pod) ? pod : undefined
    })
  }

  ready(name: string): Promise<Pod> {
    return this.pod(name, isReadyPod)
  }

  /** Waits until all of its containers have ended. */
  over(name: string): Promise<Pod> {
    return this.pod(name, ({ status }) => status.phase === 'Succeeded' || status.phase === 'Failed')
  }

  async gone(name: string): Promise<void> {
    await until(() =>
      this.pods.get(name).then(
        () => undefined,
        (error) => hasReason(error, 'NotFound') || undefined,
      ),
    )
  }

  /** Returns the events of a pod, such as `Warning BackOff: …`, in order. */
  async events(name: string): Promise<readonly string[]> {
    const fieldSelector = `involvedObject.name=${name}`
    const { items } = await this.client.resource(Event).in(this.namespace).list({ fieldSelector })
    return items
      .toSorted((one, other) => Number(one.metadata.resourceVersion) - Number(other.metadata.resourceVersion))
      .map(({ type, reason, message }) => `${type} ${reason}: ${message}`)
  }

  /** Waits for an event that matches. */
  event(name: string, pattern: RegExp): Promise<string> {
    return until(async () => (await this.events(name)).find((each) => pattern.test(each)))
  }

  /** Returns the log of a container through the API; `query` is for example `previous=true`. */
  async log(name: string, container = '', query = ''): Promise<string> {
    const { status, body } = await this.#getLog(name, container, query)
    assert.equal(status, 200, body)
    return body
  }

  /** Waits until the log has `count` lines, and returns them. */
  lines(name: string, count: number, container = ''): Promise<readonly string[]> {
    return until(async () => {
      const { status, body } = await this.#getLog(name, container, '')
      const lines = status === 200 ? body.split('\n').slice(0, -1) : []
      return lines.length >= count ? lines : undefined
    })
  }

  #getLog(name: string, container: string, query: string): Promise<HttpResult> {
    return this.#get(`/api/v1/namespaces/${this.namespace}/pods/${name}/log?container=${container}&${query}`)
  }

  #get(path: string): Promise<HttpResult> {
    const { url, token, authority } = this.cluster
    const headers = { authorization: `Bearer ${token}` }
    return new Promise((resolve, reject) => {
      const sent = request(`${url}${path}`, { ca: authority, headers, agent: false }, (response) => {
        text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject)
      })
      sent.on('error', reject).end()
    })
  }

  /** Calls the kubelet's own API through the API server. */
  async kubelet(path: string): Promise<string> {
    const { status, body } = await this.#get(`/api/v1/nodes/${this.node.name}/proxy/${path}`)
    assert.equal(status, 200, body)
    return body
  }

  /** Runs a command in a container and returns its output. */
  async exec(name: string, container: string, command: string): Promise<string> {
    const containerId = await this.containerId(name, container)
    const { exitCode, stdout, stderr } = await this.runtime.execSync({ containerId, cmd: ['sh', '-c', command] })
    assert.equal(exitCode, 0, `${command}: ${Buffer.from(stderr)}`)
    return Buffer.from(stdout).toString()
  }

  async containerId(name: string, container: string): Promise<string> {
    return containerStatusOf(await this.pods.get(name), container)?.containerID?.replace('containerd://', '') ?? ''
  }

  /** Returns the sandboxes of a pod, newest first. */
  async sandboxes(pod: Pod) {
    const labelSelector = { 'io.kubernetes.pod.uid': pod.metadata.uid! }
    const { items } = await this.runtime.listPodSandbox({ filter: { labelSelector } })
    return items.toSorted((one, other) => Number(other.createdAt - one.createdAt))
  }

  /** Deletes all pods. Resolves when the node has no sandbox of them. */
  async end(): Promise<void> {
    const { items } = await this.pods.list()
    await Promise.all(items.map(({ metadata }) => this.pods.delete(metadata.name!).catch(unlessMissing)))
    await until(async () => ((await this.pods.list()).items.length === 0 ? true : undefined))
    await until(async () => {
      const { items: left } = await this.runtime.listPodSandbox({
        filter: { labelSelector: { 'io.kubernetes.pod.namespace': this.namespace } },
      })
      return left.length === 0 || undefined
    })
  }

  /** Adds the statuses and events of the test's pods to an error. */
  async explained(error: unknown): Promise<Error> {
    const { items } = await this.pods.list()
    const descriptions = items.map(async ({ metadata, status }) => {
      const events = await this.events(metadata.name!)
      return [metadata.name, JSON.stringify(status), ...events].join('\n  ')
    })
    return new Error(`${(error as Error).message}\n${(await Promise.all(descriptions)).join('\n')}`, { cause: error })
  }
}

export function isReadyPod({ status }: Pod): boolean {
  return status.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false
}

/** Returns the state of a container. Default: the first one. */
export function containerStateOf(pod: Pod, name?: string): ContainerState | undefined {
  return containerStatusOf(pod, name)?.state
}

export function containerStatusOf({ status }: Pod, name?: string): ContainerStatus | undefined {
  const all = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])]
  return name === undefined ? all[0] : all.find((each) => each.name === name)
}

/** Calls `poll` until it returns a value. Rejects after the time limit. */
export async function until<T>(poll: () => Promise<T | undefined | false>): Promise<T> {
  const end = performance.now() + waitTimeout
  while (performance.now() < end) {
    const seen = await poll()
    if (seen !== undefined && seen !== false) return seen
    await realTime(25)
  }
  throw new Error('timed out while waiting')
}

function unlessMissing(error: unknown): undefined {
  if (!hasReason(error, 'NotFound')) throw error
}
