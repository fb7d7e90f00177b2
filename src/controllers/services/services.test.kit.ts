import type { EndpointAddress } from '../../api/core/v1/endpoints.js'
import { Endpoints } from '../../api/core/v1/endpoints.js'
import { Pod } from '../../api/core/v1/pod.js'
import { Service, type ServiceSpec } from '../../api/core/v1/service.js'
import { type Endpoint, EndpointSlice } from '../../api/discovery/v1/endpoint-slice.js'
import { formatTime } from '../../schema/values/time.js'
import type { TestCluster } from '../../testing/cluster.js'

type Cluster = Pick<TestCluster, 'client' | 'environment'>

const namespace = 'default'

/** A service `web` that chooses `app=web`, unless given. */
export function makeService({ client }: Cluster, spec: Partial<ServiceSpec> = {}, labels = {}): Promise<Service> {
  const ports = [{ name: 'http', port: 80, targetPort: 8080 }]
  return client
    .resource(Service)
    .create({ metadata: { name: 'web', namespace, labels }, spec: { selector: { app: 'web' }, ports, ...spec } })
}

export interface ServicePodOptions {
  readonly ip?: string
  readonly isReady?: boolean
  readonly node?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly spec?: Partial<Pod['spec']>
}

/** A pod with the label `app=web` on a node. */
export async function makePod(cluster: Cluster, name: string, options: ServicePodOptions = {}): Promise<void> {
  const { node = 'one', labels = { app: 'web' }, spec, ip, isReady } = options
  const containers = [{ name: 'c', image: 'web' }]
  await cluster.client
    .resource(Pod)
    .create({ metadata: { name, namespace, labels }, spec: { nodeName: node, containers, ...spec } })
  if (ip !== undefined) await setPod(cluster, name, { ip, ...(isReady !== undefined && { isReady }) })
}

/** Its kubelet says where it is, and whether it is ready. */
export async function setPod(
  { client, environment }: Cluster,
  name: string,
  { ip, isReady = true, phase = 'Running' }: { ip?: string; isReady?: boolean; phase?: Pod['status']['phase'] },
): Promise<void> {
  const lastTransitionTime = formatTime(environment.clock.now())
  const status = {
    phase,
    ...(ip !== undefined && { podIP: ip, podIPs: [{ ip }] }),
    conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime }],
  }
  await client.resource(Pod).in(namespace).subresource('status').patch(name, 'merge', { status })
}

/** Slices and Endpoints, a line for each, and one for each endpoint. Slices are numbered: their names are random. */
export async function viewOfServices({ client }: TestCluster): Promise<readonly string[]> {
  const { items: slices } = await client.resource(EndpointSlice).in(namespace).list()
  const { items: lists } = await client.resource(Endpoints).in(namespace).list()
  const inOrder = slices
    .filter(({ metadata }) => metadata.name !== 'kubernetes')
    .sort((one, other) => (orderText(one) < orderText(other) ? -1 : 1))
  return [
    ...inOrder.flatMap((slice) => [`Slice ${sliceText(slice)}`, ...(slice.endpoints ?? []).map(endpointText)]),
    ...lists
      .filter(({ metadata }) => metadata.name !== 'kubernetes')
      .flatMap((list) => [`Endpoints ${list.metadata.name} ${timeText(list.metadata)}`, ...subsetsText(list)]),
  ]
}

/** By age, and those of one age by what they hold: in no way by their names. */
function orderText({ metadata, addressType, ports, endpoints }: EndpointSlice): string {
  const [first] = endpoints ?? []
  return JSON.stringify([metadata.creationTimestamp, addressType, ports, first?.addresses])
}

interface Annotated {
  readonly annotations?: Readonly<Record<string, string>>
}

function timeText({ annotations }: Annotated): string {
  const time = annotations?.['endpoints.kubernetes.io/last-change-trigger-time']?.slice(11, 19)
  return `(${time ?? 'no time'})`
}

function sliceText({ metadata, addressType, ports }: EndpointSlice): string {
  const all = (ports ?? []).map(({ name, port, protocol }) => `${name}:${port}/${protocol}`)
  return `${metadata.name} ${addressType} ${all.join(' ') || 'no ports'} ${timeText(metadata)}`
}

function endpointText({ addresses, conditions = {}, hostname, nodeName, zone, targetRef, hints }: Endpoint): string {
  const said = Object.entries(conditions).filter(([, isTrue]) => isTrue)
  const words = [
    addresses.join(' '),
    targetRef?.name,
    said.map(([name]) => name).join(' ') || 'not ready',
    hostname && `called ${hostname}`,
    [nodeName, zone].filter(Boolean).join(' in '),
    hints && `for ${[...(hints.forZones ?? []), ...(hints.forNodes ?? [])].map(({ name }) => name).join(' ')}`,
  ]
  return `  ${words.filter(Boolean).join(', ')}`
}

function subsetsText({ subsets = [] }: Endpoints): readonly string[] {
  const names = (addresses: readonly EndpointAddress[] = []) => addresses.map(({ ip }) => ip).join(' ')
  return subsets.map(({ addresses, notReadyAddresses, ports = [] }) => {
    const where = ports.map(({ name, port }) => `${name ?? ''}:${port}`).join(' ')
    const missing = notReadyAddresses ? `, not ready: ${names(notReadyAddresses)}` : ''
    return `  ${where || 'no ports'} on ${names(addresses) || 'nothing'}${missing}`
  })
}
