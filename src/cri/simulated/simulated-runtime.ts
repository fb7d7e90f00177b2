import type { Environment } from '../../base/environment.js'
import { parseYaml } from '../../wire/yaml.js'
import type { RuntimeImplementation } from '../interface/services.js'
import { containerCalls } from './container-calls.js'
import { imageCalls } from './image-calls.js'
import { ImageStore } from './image-store.js'
import { runtimeCalls } from './runtime-calls.js'
import { sandboxCalls } from './sandbox-calls.js'
import { SimulationScenario } from './scenario.js'
import type { SimulatedNode } from './simulated-node.js'
import { SimulatedPods } from './simulated-pods.js'
import { SimulatedTime } from './simulated-time.js'
import { statsCalls } from './stats-calls.js'
import { streamingCalls } from './streaming-calls.js'
import { StreamingServer } from './streaming-server.js'

export interface SimulatedRuntimeOptions {
  readonly environment: Environment
  readonly scenario?: SimulationScenario | undefined
  /** The range of pod addresses, until the kubelet sets another. */
  readonly podRange?: string | undefined
  /** Runtime handlers in addition to the default. */
  readonly runtimeHandlers?: readonly string[] | undefined
  /** Whether containers write log files; true by default. */
  readonly writeLogs?: boolean | undefined
}

export interface SimulatedRuntime extends RuntimeImplementation, AsyncDisposable {
  /** Closes the streaming server, if it was started. */
  close(): Promise<void>
}

/**
 * Creates a container runtime that starts no process: scenario and clock determine what happens. Use it through
 * `inProcessRuntime`, or on a socket with `serveCri`.
 */
export async function simulatedRuntime(options: SimulatedRuntimeOptions): Promise<SimulatedRuntime> {
  await parseYaml('{}') // loads the parser now, because a virtual clock would not wait for it later
  const node = simulatedNode(options)
  const close = () => node.streaming.close()
  return {
    ...runtimeCalls(node),
    ...sandboxCalls(node),
    ...containerCalls(node),
    ...imageCalls(node),
    ...statsCalls(node),
    ...streamingCalls(node),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function simulatedNode(options: SimulatedRuntimeOptions): SimulatedNode {
  const { environment, podRange = '10.88.0.0/16', writeLogs = true } = options
  const scenario = options.scenario ?? new SimulationScenario()
  const time = new SimulatedTime(environment.clock)
  const images = new ImageStore(scenario, environment.clock)
  const runtimeHandlers = ['', 'runc', ...(options.runtimeHandlers ?? [])]
  const pods = new SimulatedPods({ environment, scenario, images, time, podRange, runtimeHandlers, writeLogs })
  return { environment, time, images, runtimeHandlers, pods, streaming: new StreamingServer(environment) }
}
