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
  /** The addresses of pods, until the kubelet says otherwise. */
  readonly podRange?: string | undefined
  /** Runtime handlers besides the usual one. */
  readonly runtimeHandlers?: readonly string[] | undefined
  /** Whether what containers say is written to their log files. Yes, unless told. */
  readonly writeLogs?: boolean | undefined
}

export interface SimulatedRuntime extends RuntimeImplementation, AsyncDisposable {
  /** Ends what it holds open: the server for streams, if anybody asked for one. */
  close(): Promise<void>
}

/**
 * Makes a container runtime that starts no process: everything happens as its scenario and its clock tell it. To be used through
 * `inProcess`, or through a socket with `serveCri`.
 */
export async function simulatedRuntime(options: SimulatedRuntimeOptions): Promise<SimulatedRuntime> {
  await parseYaml('{}') // loads the parser now: later, a virtual clock would not wait for it
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
