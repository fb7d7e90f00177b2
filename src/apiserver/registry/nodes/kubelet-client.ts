import type { Node } from '../../../api/core/v1/node.js'
import { notFound, unknown } from '../../../api/errors.js'
import type { Clock } from '../../../base/clock.js'
import type { VerbScope } from '../../verbs/verb-scope.js'
import {
  type BackendAddress,
  type BackendRequest,
  type BackendResponse,
  type BackendTls,
  sendToBackend,
} from '../proxy/backend.js'
import type { ResourceMap } from '../resource-map.js'

/** How this server shows itself to kubelets, and by what it knows them. Without a certificate of ours they will hardly let us in. */
export type KubeletTls = BackendTls

export interface KubeletApiRequest extends BackendRequest {
  /** The kubelet's certificate is not looked at, because the client does not want it to be. */
  readonly skipTlsVerify?: boolean
}

/** Sends requests to kubelets. */
export class KubeletClient {
  readonly #tls: () => KubeletTls
  readonly #clock: Clock

  constructor(tls: () => KubeletTls, clock: Clock) {
    this.#tls = tls
    this.#clock = clock
  }

  send(
    place: BackendAddress,
    { skipTlsVerify: isCareless = false, ...request }: KubeletApiRequest,
  ): Promise<BackendResponse> {
    const { credential, authority } = this.#tls()
    return sendToBackend(place, request, this.#clock, { credential, authority: isCareless ? undefined : authority })
  }
}

export interface KubeletAddressOptions {
  /** The first of these that a node has. */
  readonly preferredAddressTypes?: readonly string[]
  /** Where a node does not tell its kubelet's port. */
  readonly port?: number
}

/** Upstream's order: names before addresses. */
const standardTypes = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP']

/** Where a node's kubelet is. Throws where there is no such node, or no way to it. */
export async function kubeletAddress(
  scope: VerbScope,
  nodeName: string,
  resources: ResourceMap,
  { preferredAddressTypes = standardTypes, port = 10_250 }: KubeletAddressOptions,
): Promise<BackendAddress> {
  await scope.store.waitUntilCurrent()
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
