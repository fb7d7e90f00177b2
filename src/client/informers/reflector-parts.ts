import type { Environment } from '../../base/environment.js'
import type { SelectOptions } from '../request-options.js'
import type { AnyObject, ResourceClient } from '../resource-client.js'
import type { LocalCopy } from './local-copy.js'
import type { ReflectorMetrics } from './reflector-metrics.js'

export interface ReflectorDependencies<T extends AnyObject> {
  readonly resource: ResourceClient<T>
  readonly selection: SelectOptions
  readonly copy: LocalCopy<T>
  readonly environment: Environment
  readonly metrics: ReflectorMetrics
  /** True if the server is in this process: its watches neither stall nor break. */
  readonly isInProcess: boolean
}
