import type { Environment } from '../../base/environment.js'
import type { ObjectStore } from '../cache/object-store.js'
import type { Exchange } from '../exchange.js'
import type { ServedResource } from '../registry/served-resource.js'
import type { Representation } from '../representation.js'

/** What a verb that reads works on. */
export interface ReadScope {
  readonly exchange: Exchange
  readonly resource: ServedResource
  readonly store: ObjectStore
  readonly environment: Environment
  readonly representation: Representation
  /** Empty for all namespaces, and for resources that have none. */
  readonly namespace: string
  /** Empty for the whole collection. */
  readonly name: string
}
