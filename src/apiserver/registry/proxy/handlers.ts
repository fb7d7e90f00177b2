import type { Pod } from '../../../api/core/v1/pod.js'
import type { Service, ServicePort } from '../../../api/core/v1/service.js'
import type { EndpointSlice } from '../../../api/discovery/v1/endpoint-slice.js'
import { badRequest, serviceUnavailable } from '../../../api/errors.js'
import { quote } from '../../../schema/quote.js'
import type { VerbHandler, VerbHandlers } from '../../request/routing.js'
import type { ApiResponse } from '../../response/response.js'
import { find } from '../../verbs/get.js'
import type { VerbScope } from '../../verbs/verb-scope.js'
import type { NodeForwarder } from '../nodes/kubelet-forwarder.js'
import type { ServedResource } from '../served-resource.js'
import { admitConnection } from '../subresource.js'
import type { BackendAddress } from './backend.js'
import { forward } from './forward.js'
import { backendPath, proxyPathOf } from './proxy-path.js'
import { isProxyable, type ProxyTarget, parseProxyTarget, proxyPort } from './target.js'

/** `pods/proxy`: forwards to the pod's address. */
export const podProxy: VerbHandlers = proxyHandlers('pod', async (scope, { scheme, port }) => {
  const pod = (await find(scope)).object as Pod
  const { podIP = '', podIPs = [] } = pod.status
  const address = podIPs[0]?.ip || podIP
  if (!isProxyable(address)) throw badRequest('address not allowed')
  const first = pod.spec.containers.flatMap(({ ports = [] }) => ports)[0]?.containerPort
  const usual = first ?? (scheme === 'https' ? 443 : 80)
  return forward(scope, { scheme, host: address, port: port === '' ? usual : proxyPort(port) })
})

/** `services/proxy`: forwards to a random endpoint of the service. */
export function serviceProxy(slices: () => ServedResource): VerbHandlers {
  return proxyHandlers('service', async (scope, { scheme, name, port }) => {
    const service = (await find(scope)).object as Service
    const portName = portNameOf(service, port)
    const endpoints = readyEndpoints(slices(), scope, name, portName)
    const endpoint = endpoints[scope.environment.random.integer(Math.max(endpoints.length, 1))]
    if (!endpoint) throw serviceUnavailable(`no endpoints available for service ${quote(name)}`)
    return forward(scope, { scheme, ...endpoint })
  })
}

/** `nodes/proxy`: forwards to the node's kubelet. */
export function nodeProxy(forwardToNode: NodeForwarder): VerbHandlers {
  return proxyHandlers('node', (scope, { name }) =>
    forwardToNode(scope, { nodeName: name, path: backendPath(proxyPathOf(scope)), as: 'proxy' }),
  )
}

type Connect = (scope: VerbScope, target: ProxyTarget) => ApiResponse | Promise<ApiResponse>

/** One handler for every method. It removes scheme and port from the name in the scope. */
function proxyHandlers(kind: string, connect: Connect): VerbHandlers {
  const handler: VerbHandler = async (scope) => {
    await admitConnection(scope)
    const target = parseProxyTarget(scope.name)
    if (!target) throw badRequest(`invalid ${kind} request ${quote(scope.name)}`)
    return connect({ ...scope, name: target.name }, target)
  }
  return { get: handler, create: handler, update: handler, patch: handler, delete: handler }
}

/** The name of a service port, by which endpoint slices know it. */
function portNameOf({ metadata, spec: { ports = [] } }: Service, requested: string): string {
  if (!/^[0-9]+$/.test(requested)) return requested
  const found = ports.find(({ port }: ServicePort) => port === Number(requested))
  if (!found) throw serviceUnavailable(`no service port ${requested} found for service ${quote(metadata.name ?? '')}`)
  return found.name ?? ''
}

type Endpoint = Pick<BackendAddress, 'host' | 'port'>

function readyEndpoints(
  slices: ServedResource,
  { namespace }: VerbScope,
  service: string,
  portName: string,
): readonly Endpoint[] {
  return slices.objects
    .list(`${slices.prefix}${namespace}/`)
    .map(({ object }) => object as EndpointSlice)
    .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === service)
    .flatMap(({ endpoints, ports }) => {
      const port = ports?.find(({ name = '' }) => name === portName)?.port
      const ready = (endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false)
      return port === undefined ? [] : ready.flatMap(({ addresses }) => addresses.map((host) => ({ host, port })))
    })
}
