import { boolean, text } from '../base/flags/flag-types.js'
import type { JsonObject, JsonValue } from '../schema/declaration.js'
import { objectIn } from '../schema/json-value.js'
import { applyMergePatch } from '../schema/patch/merge-patch.js'
import { managerFlag, withLastApplied } from './changes/change-flags.js'
import { type CommandContext, command } from './command.js'
import { outputFlags } from './printers/output.js'
import { dryRunFlag, dryRunOf, dryRunQuery, resultPrinter } from './printers/result.js'
import { fetchObjects } from './resources/fetch.js'
import {
  metadataOf,
  type ResourceObject,
  resourceName,
  resourcePath,
  withMetadata,
} from './resources/resource-object.js'
import { fileFlags } from './resources/selection.js'

const flags = {
  ...fileFlags,
  ...outputFlags,
  ...dryRunFlag,
  ...managerFlag('kubectl-expose'),
  'cluster-ip': text('Cluster IP of the service; None for a headless service'),
  'external-ip': text('Additional external IP of the service'),
  labels: text('Labels for the service', { short: 'l' }),
  'load-balancer-ip': text('IP of the load balancer'),
  name: text('Name of the service; by default that of the object'),
  overrides: text('JSON merge patch for the service before it is created'),
  port: text('Port of the service; by default the ports of the object'),
  protocol: text('TCP, UDP or SCTP'),
  'save-config': boolean('Save the object in an annotation, for a later apply'),
  selector: text('Selector of the service'),
  'session-affinity': text('None or ClientIP'),
  'target-port': text('Name or number of the container port'),
  type: text('ClusterIP, NodePort, LoadBalancer or ExternalName'),
} as const

type ExposeContext = CommandContext<typeof flags>

export const expose = command({
  usage:
    '(-f FILENAME | TYPE NAME) [--port=port] [--protocol=TCP|UDP|SCTP] [--target-port=number-or-name] [--name=name] [--external-ip=external-ip-of-service] [--type=type] [options]',
  about: 'Create a service for the pods of a deployment, replica set, replication controller, service or pod.',
  examples: [
    'kubectl expose deployment web --port=80 --target-port=8080',
    'kubectl expose pod one --port=53 --protocol=UDP --name=dns',
  ],
  flags,
  run: runExpose,
})

async function runExpose(call: ExposeContext): Promise<void> {
  const { flags: given, args, factory } = call
  const dryRun = dryRunOf(given)
  const printer = await resultPrinter(call, given, dryRun, { isTyped: true })
  for (const info of await fetchObjects(factory, { ...given, args, selector: '' })) {
    const service = overridden(serviceFor(call, info), given.overrides)
    const body = withMetadata(given['save-config'] ? withLastApplied(service, { isTyped: true }) : service, {
      namespace: info.namespace,
    })
    if (dryRun === 'client') {
      await printer.print(body, 'exposed')
      continue
    }
    const resource = await (await factory.mapper()).kind({ kind: 'Service', group: '', version: 'v1' })
    const query = { ...dryRunQuery(dryRun), fieldManager: given['field-manager'] }
    const request = { method: 'POST', path: resourcePath(resource, info.namespace), query, body }
    await printer.print(await (await factory.rest()).json<JsonObject>(request), 'exposed')
  }
}

function overridden(service: JsonObject, patch: string): JsonObject {
  return patch === '' ? service : (applyMergePatch(service, JSON.parse(patch) as JsonValue) as JsonObject)
}

function serviceFor({ flags: given }: ExposeContext, info: ResourceObject): JsonObject {
  const selector = given.selector === '' ? selectorOf(info) : labelPairs(given.selector)
  const ports = servicePorts(given, info)
  const labels = given.labels === '' ? metadataOf(info.object).labels : labelPairs(given.labels)
  const name = given.name === '' ? info.name.slice(0, 63) : given.name
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { creationTimestamp: null, ...(labels && { labels }), name },
    spec: {
      ...(given['cluster-ip'] !== '' && { clusterIP: given['cluster-ip'] }),
      ...(given['external-ip'] !== '' && { externalIPs: [given['external-ip']] }),
      ...(given['load-balancer-ip'] !== '' && { loadBalancerIP: given['load-balancer-ip'] }),
      ports,
      selector,
      ...(given['session-affinity'] !== '' && { sessionAffinity: given['session-affinity'] }),
      ...(given.type !== '' && { type: given.type }),
    },
    status: { loadBalancer: {} },
  }
}

interface PortFlags {
  readonly port: string
  readonly protocol: string
  readonly 'target-port': string
}

/** The given ports, or those of the containers. */
function servicePorts(given: PortFlags, info: ResourceObject): readonly JsonObject[] {
  const known = portsOf(info)
  const numbers = given.port === '' ? known.map(({ port }) => port) : given.port.split(',').map(portNumber)
  if (numbers.length === 0) throw new Error("couldn't find port via --port flag or introspection")
  return numbers.map((port, index) => ({
    ...(numbers.length > 1 && { name: `port-${index + 1}` }),
    port,
    protocol: given.protocol || known.find((each) => each.port === port)?.protocol || 'TCP',
    targetPort: targetOf(given['target-port'], port),
  }))
}

function portNumber(textual: string): number {
  if (!/^-?\d+$/.test(textual)) throw new Error(`strconv.Atoi: parsing "${textual}": invalid syntax`)
  return Number(textual)
}

function targetOf(given: string, port: number): number | string {
  if (given === '') return port
  return /^\d+$/.test(given) ? Number(given) : given
}

function labelPairs(textual: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    textual.split(',').map((pair) => {
      const [key = '', ...value] = pair.split('=')
      if (value.length === 0) throw new Error(`unexpected label spec: ${pair}`)
      return [key, value.join('=')]
    }),
  )
}

/** A port of a container or service. */
interface KnownPort {
  readonly port: number
  readonly protocol: string
}

/** How each kind selects its pods. */
const selectors: Readonly<Record<string, (object: JsonObject) => unknown>> = {
  pods: (object) => metadataOf(object).labels,
  services: (object) => objectIn(object, 'spec')?.selector,
  replicationcontrollers: (object) => objectIn(object, 'spec')?.selector,
  'deployments.apps': matchLabels,
  'replicasets.apps': matchLabels,
}

function matchLabels(object: JsonObject): unknown {
  const selector = objectIn(objectIn(object, 'spec') ?? {}, 'selector') ?? {}
  if (Array.isArray(selector.matchExpressions) && selector.matchExpressions.length > 0)
    throw new Error(
      `couldn't convert expressions - "${JSON.stringify(selector.matchExpressions)}" to map-based selector format`,
    )
  return selector.matchLabels
}

function selectorOf({ resource, object }: ResourceObject): Readonly<Record<string, string>> {
  const name = resourceName(resource)
  const read = Object.hasOwn(selectors, name) ? selectors[name] : undefined
  if (!read)
    throw new Error(`cannot expose a ${resource.group === '' ? resource.kind : `${resource.kind}.${resource.group}`}`)
  const labels = (read(object) ?? {}) as Readonly<Record<string, string>>
  if (Object.keys(labels).length > 0) return labels
  throw new Error(
    resource.plural === 'pods'
      ? "couldn't retrieve selectors via --selector flag or introspection: the pod has no labels and cannot be exposed"
      : `couldn't retrieve selectors via --selector flag or introspection: the ${resource.kind.toLowerCase()} has no pod selector set`,
  )
}

function portsOf({ object }: Pick<ResourceObject, 'object'>): readonly KnownPort[] {
  const spec = objectIn(object, 'spec') ?? {}
  if (Array.isArray(spec.ports))
    return (spec.ports as readonly KnownPort[]).map(({ port, protocol = 'TCP' }) => ({ port, protocol }))
  const pod = objectIn(objectIn(spec, 'template') ?? {}, 'spec') ?? spec
  const containers = (pod.containers ?? []) as readonly {
    ports?: readonly { containerPort: number; protocol?: string }[]
  }[]
  return containers.flatMap(({ ports = [] }) =>
    ports.map(({ containerPort, protocol = 'TCP' }) => ({ port: containerPort, protocol })),
  )
}
