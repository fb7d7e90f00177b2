import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Deployment } from '../../api/apps/v1/deployment.js'
import { Lease } from '../../api/coordination/v1/lease.js'
import { Pod } from '../../api/core/v1/pod.js'
import { environment } from '../../base/environment.js'
import type { Client } from '../../client/client.js'
import { Informers } from '../../client/informers/informers.js'
import { parseTime } from '../../schema/values/time.js'
import { PodCounter } from '../../testing/crash/cluster-state.js'
import { ApiServerProcess } from '../../testing/processes/api-server-process.js'
import { ControllerManagerProcess } from '../../testing/processes/controller-manager-process.js'
import { httpsClient } from '../../testing/servers/clients.js'
import { checkWorld } from '../../testing/world-check/world-check.js'

/** Long enough for a machine that has more to do than this. */
const leaseDuration = 10_000
const loops = ['deployment-controller', 'replicaset-controller', 'serviceaccount-controller']
const usual = [
  `--controllers=${loops.join()}`,
  `--leader-elect-lease-duration=${leaseDuration}ms`,
  '--leader-elect-renew-deadline=8s',
  '--leader-elect-retry-period=500ms',
]

/** A server, two managers of which one leads, and somebody who looks on. */
class Rivalry implements AsyncDisposable {
  readonly client: Client
  readonly informers: Informers
  readonly census: PodCounter
  /** Milliseconds from the last renewal of one leader to the first of the next. */
  readonly gaps: number[] = []
  readonly leader: ControllerManagerProcess
  readonly other: ControllerManagerProcess
  readonly #server: ApiServerProcess

  private constructor(server: ApiServerProcess, leader: ControllerManagerProcess, other: ControllerManagerProcess) {
    this.#server = server
    this.leader = leader
    this.other = other
    this.client = httpsClient(server)
    this.informers = new Informers(this.client, environment())
    this.census = new PodCounter(this.informers)
    this.informers.of(Lease, { namespace: 'kube-system' }).onChange(({ object: { spec }, old }) => {
      if (old && spec.holderIdentity !== old.spec.holderIdentity)
        this.gaps.push(parseTime(spec.acquireTime!) - parseTime(old.spec.renewTime!))
    })
  }

  static async begin(flags: readonly string[] = []): Promise<Rivalry> {
    const server = await ApiServerProcess.start()
    const manager = () => new ControllerManagerProcess(server, [...usual, ...flags])
    const leader = manager()
    try {
      await leader.untilActive()
      return new Rivalry(server, leader, manager())
    } catch (error) {
      await server.close()
      throw error
    }
  }

  async deploy(name: string, replicas: number): Promise<void> {
    const labels = { app: name }
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'web' }] } }
    const spec = { replicas, selector: { matchLabels: labels }, template }
    await this.client.resource(Deployment).create({ metadata: { name, namespace: 'default' }, spec })
  }

  async scale(name: string, replicas: number): Promise<void> {
    await this.client.resource(Deployment).in('default').patch(name, 'merge', { spec: { replicas } })
  }

  /** Resolves when there are so many pods. */
  async pods(count: number): Promise<void> {
    const pods = this.informers.of(Pod)
    while (pods.size !== count) await new Promise((resolve) => setTimeout(resolve, 20))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.informers.close()
    this.client.close()
    await this.leader.end('SIGKILL')
    await this.other.end('SIGKILL')
    await this.#server.close()
  }
}

test('of two controller managers one acts; when it is killed, the other takes over as soon as its lease is over', async () => {
  await using rivalry = await Rivalry.begin()
  const { client, leader, other, census } = rivalry
  await rivalry.deploy('web', 20)
  await rivalry.pods(20)
  await rivalry.deploy('later', 20)
  await leader.end('SIGKILL')
  assert.equal(other.hasBeenActive, false)
  await other.untilActive()
  await rivalry.pods(40)
  assert.equal(rivalry.gaps.length, 1)
  assert.ok(rivalry.gaps[0]! >= leaseDuration, `taken over after ${rivalry.gaps[0]} ms`)
  await checkWorld(client, { controllers: loops })
  assert.deepEqual(made(census), [20, 20])
})

test('one that was stopped for longer than its lease does nothing when it wakes up, and ends', async () => {
  await using rivalry = await Rivalry.begin()
  const { client, leader, other, census } = rivalry
  for (const name of ['a', 'b', 'c']) await rivalry.deploy(name, 5)
  await rivalry.pods(15)
  leader.signal('SIGSTOP')
  // All of this waits in its sockets when it wakes up.
  for (const name of ['a', 'b', 'c']) await rivalry.scale(name, 15)
  await rivalry.deploy('d', 15)
  await other.untilActive()
  await rivalry.pods(60)
  leader.signal('SIGCONT')
  assert.equal(await leader.ended(), 1)
  assert.match(leader.log.at(-1)!.message, /lost its leadership; start it again/)
  await rivalry.scale('d', 20)
  await rivalry.pods(65)
  await checkWorld(client, { controllers: loops })
  assert.deepEqual(made(census), [15, 15, 15, 20])
})

test('one that is told to stop lets the other one in at once', async () => {
  await using rivalry = await Rivalry.begin(['--leader-elect-lease-duration=1h'])
  const { leader, other } = rivalry
  assert.equal(await leader.end('SIGTERM'), 0, JSON.stringify(leader.log.slice(-3)))
  await other.untilActive()
  await rivalry.deploy('web', 3)
  await rivalry.pods(3)
})

/** How many pods were made for each ReplicaSet. */
function made(census: PodCounter): readonly number[] {
  const lines = census.lines().filter((line) => line.endsWith(' pods created'))
  return lines.map((line) => Number(/(\d+) pods created$/.exec(line)![1])).sort((left, right) => left - right)
}
