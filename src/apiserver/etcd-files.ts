import type { Environment } from '../base/environment.js'
import { openEtcdStore } from '../storage/etcd/etcd-store.js'
import type { Store } from '../storage/store.js'
import type { EtcdOptions } from './options.js'

/** Keys begin with `/registry` by themselves; another prefix stands before that. */
const ownPrefix = '/registry'

export function openEtcd(options: EtcdOptions, environment: Environment): Promise<Store> {
  const { servers, prefix, caFile, certFile, keyFile } = options
  return openEtcdStore(
    {
      servers,
      prefix: prefix === ownPrefix ? '' : prefix,
      ...(caFile !== undefined && { cafile: caFile }),
      ...(certFile !== undefined && { certfile: certFile }),
      ...(keyFile !== undefined && { keyfile: keyFile }),
    },
    environment,
  )
}
