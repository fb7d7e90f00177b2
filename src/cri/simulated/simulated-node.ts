import type { Environment } from '../../base/environment.js'
import type { ImageStore } from './image-store.js'
import type { SimulatedPods } from './simulated-pods.js'
import type { SimulatedTime } from './simulated-time.js'
import type { StreamingServer } from './streaming-server.js'

/** The state that the calls of a simulated runtime share. */
export interface SimulatedNode {
  readonly environment: Environment
  readonly time: SimulatedTime
  readonly images: ImageStore
  readonly pods: SimulatedPods
  readonly runtimeHandlers: readonly string[]
  readonly streaming: StreamingServer
}
