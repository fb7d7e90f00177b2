import { Node } from '../../api/core/v1/node.js'
import { type Environment, environment } from '../../base/environment.js'
import { seededRandom } from '../../base/random.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import type { Client } from '../../client/client.js'
import type { Occurrence } from '../../client/events/event-recorder.js'
import { Informers } from '../../client/informers/informers.js'
import { inProcessRuntime } from '../../cri/in-process.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import { type ScenarioFile, SimulationScenario } from '../../cri/simulated/scenario.js'
import { simulatedRuntime } from '../../cri/simulated/simulated-runtime.js'
import { startTestApiServer, type TestApiServer } from '../../testing/servers/api-server.js'
import { inProcessClient } from '../../testing/servers/clients.js'
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

/** Controls what the runtime reports, and whether it responds. */
export interface RuntimeBehavior {
  isDown: boolean
  network: { status: boolean; reason?: string; message?: string }
  runtime: { status: boolean; reason?: string; message?: string }
}

export interface NodeHarness extends AsyncDisposable {
  readonly clock: VirtualClock
  readonly environment: Environment
  readonly server: TestApiServer
  /** Authenticates as an administrator. */
  readonly admin: Client
  /** Authenticates as the node, with its permissions. */
  readonly client: Client
  readonly runtime: ContainerRuntime
  readonly mood: RuntimeBehavior
  /** Recorded events: `NodeReady`, … */
  readonly told: string[]
  start(dependencies?: { options?: NodeOptions; host?: NodeHost }): Promise<NodeAgent>
  /** Waits until the node is registered. */
  begin(dependencies?: { options?: NodeOptions; host?: NodeHost }): Promise<NodeAgent>
  node(): Promise<Node>
  condition(type: string): Promise<string>
}

/** A server with node authorization and a simulated runtime, on a virtual clock. */
export async function nodeHarness(scenario: ScenarioFile = {}): Promise<NodeHarness> {
  const clock = new VirtualClock()
  const harness = environment({ clock, random: seededRandom(7) })
  const server = await startTestApiServer({ environment: harness })
  const admin = inProcessClient(server)
  const user = { name: 'system:node:host', uid: '', groups: ['system:nodes', 'system:authenticated'], extra: {} }
  const client = inProcessClient(server, { user })
  const mood: RuntimeBehavior = { isDown: false, network: { status: true }, runtime: { status: true } }
  const runtime = await moodyRuntime(harness, mood, scenario)
  const told: string[] = []
  const events = { record: ({ type, reason, message }: Occurrence) => void told.push(`${type} ${reason}: ${message}`) }
  const agents: NodeAgent[] = []
  const informers = new Informers(client, harness)
  const start: NodeHarness['start'] = async ({ options, host = simulatedHost() } = {}) => {
    const dependencies = { environment: harness, client, informers, runtime, host, identity, events }
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
    environment: harness,
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

async function moodyRuntime(
  harness: Environment,
  mood: RuntimeBehavior,
  scenario: ScenarioFile,
): Promise<ContainerRuntime> {
  const simulated = await simulatedRuntime({ environment: harness, scenario: new SimulationScenario(scenario) })
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
  return inProcessRuntime(implementation, { environment: harness })
}
