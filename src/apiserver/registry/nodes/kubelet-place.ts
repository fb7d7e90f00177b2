import type { Node } from '../../../api/core/v1/node.js'
import { notFound, unknown } from '../../../api/errors.js'
import type { VerbScope } from '../../verbs/verb-scope.js'
import type { BackendPlace } from '../proxy/backend.js'
import type { ResourceMap } from '../resource-map.js'

export interface PlaceOptions {
  /** The first of these that a node has. */
  readonly preferredAddressTypes?: readonly string[]
  /** Where a node does not tell its kubelet's port. */
  readonly port?: number
}

/** Upstream's order: names before addresses. */
const standardTypes = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP']

/** Where a node's kubelet is. Throws where there is no such node, or no way to it. */
export async function kubeletPlace(
  scope: VerbScope,
  nodeName: string,
  resources: ResourceMap,
  { preferredAddressTypes = standardTypes, port = 10_250 }: PlaceOptions,
): Promise<BackendPlace> {
  await scope.store.current()
  const nodes = resources.find('', 'v1', 'nodes')!
  const node = nodes.objects.get(nodes.key('', nodeName))?.object as Node | undefined
  if (!node) throw notFound({ group: '', resource: 'nodes' }, nodeName)
  const { addresses = [], daemonEndpoints } = node.status
  const found = preferredAddressTypes
    .flatMap((type) => addresses.filter((one) => one.type === type))
    .find(({ address }) => address !== '')
  if (!found) {
    const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ')
    throw unknown(`no preferred addresses found; known addresses: [${known}]`)
  }
  return { scheme: 'https', host: found.address, port: daemonEndpoints?.kubeletEndpoint?.Port || port }
}
