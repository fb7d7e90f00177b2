import type { Service, ServicePort } from '../../../api/core/v1/service.js'

/** The service that every pod gets variables for. */
const cluster = { namespace: 'default', name: 'kubernetes' }

/** Returns the services that a pod gets variables for: those of its namespace, if it wants links, and the API server's. */
export function servicesFor(services: Iterable<Service>, namespace: string, wantsLinks: boolean): readonly Service[] {
  const byName = new Map<string, Service>()
  for (const service of services) {
    const { clusterIP = '' } = service.spec
    if (clusterIP === '' || clusterIP === 'None') continue
    const { name = '', namespace: own } = service.metadata
    const isCluster = own === cluster.namespace && name === cluster.name
    const isLinked = own === namespace && wantsLinks && !isCluster
    // A service of the pod's namespace takes precedence over the cluster's of the same name.
    if (isLinked || (isCluster && !byName.has(name))) byName.set(name, service)
  }
  return [...byName.values()]
}

/** Returns `WEB_SERVICE_HOST` and the other variables of each service. */
export function serviceVariables(services: Iterable<Service>): ReadonlyMap<string, string> {
  const variables = new Map<string, string>()
  for (const service of services) for (const [name, value] of variablesOf(service)) variables.set(name, value)
  return variables
}

function* variablesOf({ metadata, spec }: Service): Iterable<readonly [string, string]> {
  const prefix = variableName(metadata.name ?? '')
  const address = spec.clusterIP ?? ''
  const [first] = spec.ports ?? []
  yield [`${prefix}_SERVICE_HOST`, address]
  if (!first) return
  yield [`${prefix}_SERVICE_PORT`, String(first.port)]
  for (const { name, port } of spec.ports ?? [])
    if (name) yield [`${prefix}_SERVICE_PORT_${variableName(name)}`, String(port)]
  yield [`${prefix}_PORT`, urlOf(first, address)]
  for (const port of spec.ports ?? []) yield* linkOf(port, prefix, address)
}

/** Returns the variables of Docker's old container links. */
function* linkOf(port: ServicePort, prefix: string, address: string): Iterable<readonly [string, string]> {
  const protocol = port.protocol ?? 'TCP'
  const link = `${prefix}_PORT_${port.port}_${protocol}`
  yield [link, urlOf(port, address)]
  yield [`${link}_PROTO`, protocol.toLowerCase()]
  yield [`${link}_PORT`, String(port.port)]
  yield [`${link}_ADDR`, address]
}

function urlOf({ protocol = 'TCP', port }: ServicePort, address: string): string {
  return `${protocol.toLowerCase()}://${address.includes(':') ? `[${address}]` : address}:${port}`
}

function variableName(name: string): string {
  return name.toUpperCase().replaceAll('-', '_')
}
