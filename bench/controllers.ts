/** Controllers and an API server with a store on disk, in one process as in `proa up`. */
import { Deployment } from '../src/api/apps/v1/deployment.js'
import { ConfigMap } from '../src/api/core/v1/config-map.js'
import { Namespace } from '../src/api/core/v1/namespace.js'
import { Pod } from '../src/api/core/v1/pod.js'
import { Secret } from '../src/api/core/v1/secret.js'
import { ServiceAccount } from '../src/api/core/v1/service-account.js'
import { keyOf } from '../src/client/informers/informer.js'
import type { AnyObject } from '../src/client/resource-client.js'
import { startTestCluster, type TestCluster } from '../src/testing/cluster.js'
import type { Figure, ReportFigure } from './figure.js'
import { until } from './until.js'

export async function controllerFigures(report: ReportFigure): Promise<void> {
  const cluster = await startTestCluster({ storage: 'disk' })
  for (const measure of [oneLargeDeployment, manyDeployments, idleness, namespaceDeletion])
    await measure(new ControllerHarness(cluster), report)
  await cluster.close()
}

/** Wall-clock time and CPU time, in seconds. On a shared machine only CPU time shows the cost. */
interface Durations {
  readonly wall: number
  readonly cpu: number
}

async function timed(work: () => Promise<unknown>): Promise<Durations> {
  const start = performance.now()
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return { wall: (performance.now() - start) / 1000, cpu: (user + system) / 1e6 }
}

/** Returns the best of several rounds, each in its own namespace. On a shared machine the fastest round is the least disturbed one. */
async function best(
  bench: ControllerHarness,
  rounds: number,
  work: (namespace: string) => Promise<void>,
): Promise<Durations> {
  const all: Durations[] = []
  for (let round = 0; round < rounds; round++) {
    const namespace = await bench.namespace(`round-${round}`)
    all.push(await timed(() => work(namespace)))
    await bench.remove(namespace)
  }
  return { wall: Math.min(...all.map(({ wall }) => wall)), cpu: Math.min(...all.map(({ cpu }) => cpu)) }
}

async function oneLargeDeployment(bench: ControllerHarness, report: ReportFigure): Promise<void> {
  const raw = (namespace: string) => bench.podsOfOneClient(namespace, 1000)
  const loops = async (namespace: string) => {
    await bench.deploy(namespace, 'web', 1000)
    await bench.podsOf(namespace, 'web', 1000)
  }
  const name = 'controllers: Deployment of 1,000 pods'
  const tell = (what: string, { wall, cpu }: Durations, more: Pick<Figure, 'budget' | 'note'> = {}) => {
    const notes = [`${(1000 * cpu).toFixed(0)} µs of CPU each`, more.note].filter(Boolean)
    report({ name: what, value: 1000 / wall, unit: 'pods/s', ...more, note: notes.join('; ') })
  }
  tell(`${name}, the very first`, await best(bench, 1, loops))
  const ofOneClient = await best(bench, 6, raw)
  const ofLoops = await best(bench, 6, loops)
  const note = `${((100 * ofOneClient.wall) / ofLoops.wall).toFixed(0)} % of what one client can create`
  tell('controllers: 1,000 pods of one client', ofOneClient)
  tell(name, ofLoops, { budget: '≥ 1,500 pods/s', note })
}

async function manyDeployments(bench: ControllerHarness, report: ReportFigure): Promise<void> {
  const names = Array.from({ length: 200 }, (_, i) => `web-${i}`)
  const { wall, cpu } = await best(bench, 3, async (namespace) => {
    await Promise.all(names.map((name) => bench.deploy(namespace, name, 10)))
    for (const name of names) await bench.settled(namespace, name)
  })
  const note = `${cpu.toFixed(2)} s of CPU`
  report({ name: 'controllers: 200 Deployments of 10 settle', value: wall, unit: 's', budget: '≤ 5 s', note })
}

async function sharedObjects({ cluster }: ControllerHarness, report: ReportFigure): Promise<void> {
  const { informers } = cluster.controllers
  let [same, all] = [0, 0]
  for (const { location, informer } of informers.started())
    for (const object of (await cluster.client.resource(location).list()).items) {
      all++
      if (informer.get(keyOf(object)) === (object as AnyObject)) same++
    }
  const value = (100 * same) / all
  report({ name: 'controllers: objects shared with the server', value, unit: '%', budget: '100 %', note: `of ${all}` })
}

async function idleness(bench: ControllerHarness, report: ReportFigure): Promise<void> {
  const namespace = await bench.namespace('idle')
  const names = ['a', 'b', 'c', 'd', 'e']
  await Promise.all(names.map((name) => bench.deploy(namespace, name, 1000)))
  for (const name of names) await bench.settled(namespace, name)
  await new Promise((resolve) => setTimeout(resolve, 3000))
  const { wall, cpu } = await timed(() => new Promise((resolve) => setTimeout(resolve, 10_000)))
  const value = (100 * cpu) / wall
  report({ name: 'controllers: idle with 5,000 pods', value, unit: '%', budget: '≤ 3 % of a core' })
  await sharedObjects(bench, report)
  await bench.remove(namespace)
}

async function namespaceDeletion(bench: ControllerHarness, report: ReportFigure): Promise<void> {
  const namespace = await bench.namespace('doomed')
  const { client } = bench.cluster
  await bench.deploy(namespace, 'web', 500)
  await bench.settled(namespace, 'web')
  const each = (count: number, make: (name: string) => Promise<unknown>) =>
    Promise.all(Array.from({ length: count }, (_, i) => make(`object-${i}`)))
  await each(1000, (name) => client.resource(ConfigMap).create({ metadata: { name, namespace }, data: { a: 'b' } }))
  await each(500, (name) => client.resource(Secret).create({ metadata: { name, namespace }, stringData: { a: 'b' } }))
  const { wall, cpu } = await timed(() => bench.remove(namespace))
  const note = `${cpu.toFixed(2)} s of CPU; 1,000 ConfigMaps, 500 Secrets, a Deployment of 500 pods`
  report({ name: 'controllers: a namespace of 2,000 objects goes', value: wall, unit: 's', budget: '≤ 5 s', note })
}

/** Changes the cluster, and waits for the effects. */
class ControllerHarness {
  readonly cluster: TestCluster

  constructor(cluster: TestCluster) {
    this.cluster = cluster
  }

  /** Creates a namespace, and waits for the service account that its pods need. */
  async namespace(name: string): Promise<string> {
    const { client, controllers } = this.cluster
    await client.resource(Namespace).create({ metadata: { name } })
    await until(controllers.informers.of(ServiceAccount), (accounts) => accounts.get(`${name}/default`) !== undefined)
    return name
  }

  async remove(name: string): Promise<void> {
    await this.cluster.client.resource(Namespace).delete(name)
    await until(this.cluster.controllers.informers.of(Namespace), (namespaces) => namespaces.get(name) === undefined)
  }

  async deploy(namespace: string, name: string, replicas: number): Promise<void> {
    const labels = { app: name }
    const spec = { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec } }
    await this.cluster.client.resource(Deployment).create({ metadata: { name, namespace }, spec })
  }

  async podsOf(namespace: string, app: string, count: number): Promise<void> {
    const key = `${namespace} ${app}`
    const pods = this.cluster.controllers.informers.of(Pod)
    pods.addIndex('bench', ({ metadata }) => [`${metadata.namespace} ${metadata.labels?.app}`])
    await until(pods, () => sizeOf(pods.by('bench', key)) >= count, 10)
  }

  /** Waits until the status shows that all pods exist. */
  async settled(namespace: string, name: string): Promise<void> {
    const isSettled = ({ metadata, spec, status }: Deployment) =>
      status.observedGeneration === metadata.generation && status.updatedReplicas === spec.replicas
    await until(this.cluster.controllers.informers.of(Deployment), (deployments) => {
      const deployment = deployments.get(`${namespace}/${name}`)
      return deployment !== undefined && isSettled(deployment)
    })
  }

  /** Creates objects as fast as possible, so many at a time. */
  async podsOfOneClient(namespace: string, count: number): Promise<void> {
    const pods = this.cluster.client.resource(Pod)
    let made = 0
    const work = async () => {
      while (made++ < count) await pods.create({ metadata: { generateName: 'raw-', namespace }, spec: podSpec })
    }
    await Promise.all(Array.from({ length: 100 }, work))
  }
}

const podSpec = { containers: [{ name: 'web', image: 'nginx:1.27', ports: [{ containerPort: 80 }] }] }

function sizeOf(objects: Iterable<unknown>): number {
  return objects instanceof Set ? objects.size : [...objects].length
}
