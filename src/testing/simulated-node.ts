import { join } from 'node:path'
import { inProcessTransport } from '../client/in-process.js'
import { inProcessRuntime } from '../cri/in-process.js'
import { simulatedRuntime } from '../cri/simulated/simulated-runtime.js'
import { simulatedPlatform } from '../kubelet/platform.js'
import { type RunningNode, runNode } from '../kubelet/run-node.js'
import type { TestApiServer } from './servers/api-server.js'

export interface SimulatedNodeOptions {
  readonly name: string
  /** Where its files are. */
  readonly folder: string
  /** Of its pods. */
  readonly podRange: string
}

/** A node whose containers are only simulated: pods run on it, and no process does. Resolves when it is registered. */
export async function startSimulatedNode(
  { api, environment }: Pick<TestApiServer, 'api' | 'environment'>,
  { name, folder, podRange }: SimulatedNodeOptions,
): Promise<RunningNode> {
  const groups = ['system:nodes', 'system:authenticated']
  const user = { name: `system:node:${name}`, uid: '', groups, extra: {} }
  const simulated = await simulatedRuntime({ environment, podRange })
  const node = await runNode({
    environment,
    transport: inProcessTransport({ handle: api.handleInProcess, user, userAgent: 'kubelet' }),
    runtime: inProcessRuntime(simulated, { environment }),
    identity: {
      nodeName: name,
      rootFolder: join(folder, name),
      podLogsFolder: join(folder, name, 'logs'),
      hostAddresses: ['127.0.0.1'],
      clusterDomain: 'cluster.local',
      clusterDns: [],
    },
    version: 'v1.36.4+proa-simulated',
    platform: simulatedPlatform(),
    options: { containers: { resolverFile: '' } },
  })
  await node.agent.registered
  return {
    ...node,
    async close() {
      await node.close()
      await simulated.close()
    },
  }
}
