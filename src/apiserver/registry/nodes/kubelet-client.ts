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

/** The client certificate for kubelets, and the authority that signed theirs. Most kubelets require a client certificate. */
export type KubeletTls = BackendTls

export interface ForwardedKubeletRequest extends BackendRequest {
  /** Whether the client disabled the verification of the kubelet's certificate. */
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
    address: BackendAddress,
    { skipTlsVerify = false, ...request }: ForwardedKubeletRequest,
  ): Promise<BackendResponse> {
    const { credential, authority } = this.#tls()
    return sendToBackend(address, request, this.#clock, {
      credential,
      authority: skipTlsVerify ? undefined : authority,
    })
  }
}

export interface KubeletAddressOptions {
  /** Address types in order of preference. */
  readonly preferredAddressTypes?: readonly string[]
  /** The port of kubelets whose node status has none. */
  readonly port?: number
}

/** Upstream's default order. */
const standardTypes = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP']

/** Returns the address of a node's kubelet. Throws if the node does not exist or has no usable address. */
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
