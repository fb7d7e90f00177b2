import { Node } from '../../api/core/v1/node.js'
import { type Environment, environment } from '../../base/environment.js'
import { seededRandom } from '../../base/random.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import type { Client } from '../../client/client.js'
import type { Occurrence } from '../../client/events/event-recorder.js'
import { Informers } from '../../client/informers/informers.js'
import { inProcess } from '../../cri/in-process.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import { Scenario, type ScenarioFile } from '../../cri/simulated/scenario.js'
import { simulatedRuntime } from '../../cri/simulated/simulated-runtime.js'
import { startTestApiServer, type TestApiServer } from '../../testing/api-server.js'
import { inProcessClient } from '../../testing/clients.js'
import { type NodeAgent, nodeAgent } from './node-agent.js'
import { type NodeHost, simulatedHost } from './node-host.js'
import type { NodeIdentity } from './node-identity.js'
import type { NodeOptions } from './node-options.js'

export const identity: NodeIdentity = {
  nodeName: 'host',
  rootFolder: '/',
  podLogsFolder: '/',
  hostAddresses: ['192.0.2.7'],
  clusterDomain: 'cluster.local',
  clusterDns: [],
}

/** May be changed by a test: what the runtime says of itself, and whether it answers. */
export interface RuntimeMood {
  isDown: boolean
  network: { status: boolean; reason?: string; message?: string }
  runtime: { status: boolean; reason?: string; message?: string }
}

export interface NodeWorld extends AsyncDisposable {
  readonly clock: VirtualClock
  readonly environment: Environment
  readonly server: TestApiServer
  /** Of an administrator. */
  readonly admin: Client
  /** Of the node: the server lets it do what nodes may. */
  readonly client: Client
  readonly runtime: ContainerRuntime
  readonly mood: RuntimeMood
  /** `NodeReady`, … as they were told. */
  readonly told: string[]
  start(dependencies?: { options?: NodeOptions; host?: NodeHost }): Promise<NodeAgent>
  /** The same, and waits until it is registered. */
  begin(dependencies?: { options?: NodeOptions; host?: NodeHost }): Promise<NodeAgent>
  node(): Promise<Node>
  condition(type: string): Promise<string>
}

/** A server under a clock that stands still, which knows nodes for what they are, and the runtime of one. */
export async function nodeWorld(scenario: ScenarioFile = {}): Promise<NodeWorld> {
  const clock = new VirtualClock()
  const world = environment({ clock, random: seededRandom(7) })
  const server = await startTestApiServer({ environment: world })
  const admin = inProcessClient(server)
  const user = { name: 'system:node:host', uid: '', groups: ['system:nodes', 'system:authenticated'], extra: {} }
  const client = inProcessClient(server, { user })
  const mood: RuntimeMood = { isDown: false, network: { status: true }, runtime: { status: true } }
  const runtime = await moodyRuntime(world, mood, scenario)
  const told: string[] = []
  const events = { record: ({ type, reason, message }: Occurrence) => void told.push(`${type} ${reason}: ${message}`) }
  const agents: NodeAgent[] = []
  const informers = new Informers(client, world)
  const start: NodeWorld['start'] = async ({ options, host = simulatedHost() } = {}) => {
    const dependencies = { environment: world, client, informers, runtime, host, identity, events }
    const agent = await nodeAgent({ ...dependencies, port: 10_250, version: 'v1.36.4', options })
    agents.push(agent)
    return agent
  }
  const close = async () => {
    await Promise.all(agents.map((agent) => agent.close()))
    await informers.close()
    await server.close()
  }
  return {
    clock,
    environment: world,
    server,
    admin,
    client,
    runtime,
    mood,
    told,
    start,
    async begin(dependencies) {
      const agent = await start(dependencies)
      await clock.runUntil(() => agent.node() !== undefined, '1m')
      return agent
    },
    node: () => admin.resource(Node).get('host'),
    async condition(wanted) {
      const { conditions = [] } = (await admin.resource(Node).get('host')).status
      const found = conditions.find(({ type }) => type === wanted)
      return `${found?.status} ${found?.reason}: ${found?.message}`
    },
    [Symbol.asyncDispose]: close,
  }
}

async function moodyRuntime(world: Environment, mood: RuntimeMood, scenario: ScenarioFile): Promise<ContainerRuntime> {
  const simulated = await simulatedRuntime({ environment: world, scenario: new Scenario(scenario) })
  const implementation: typeof simulated = {
    ...simulated,
    async status() {
      if (mood.isDown) throw new Error('connection refused')
      const conditions = [
        { type: 'RuntimeReady', ...mood.runtime },
        { type: 'NetworkReady', ...mood.network },
      ]
      return {
        status: { conditions },
        runtimeHandlers: [{ name: 'runc', features: { userNamespaces: true } }],
        features: {},
      }
    },
  }
  return inProcess(implementation, { environment: world })
}
