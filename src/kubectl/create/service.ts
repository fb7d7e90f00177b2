import { csvList, signedInteger, text } from '../../base/flags/flag-types.js'
import type { FlagTable } from '../../base/flags/flags.js'
import type { JsonObject } from '../../schema/declaration.js'
import { portName, portNumber } from '../../schema/identifiers.js'
import { quote } from '../../schema/quote.js'
import { commandGroup } from '../command.js'
import { type GeneratorContext, generator, noTimestamp } from './generator.js'

const ports = { tcp: csvList('Ports: PORT or PORT:TARGET, separated by commas') } as const

type PortContext = GeneratorContext<typeof ports & FlagTable>

const clusterIp = generator({
  usage: 'NAME [--tcp=<port>:<targetPort>] [--dry-run=server|client|none] [options]',
  about: 'Create a service of type ClusterIP.',
  examples: [
    'kubectl create service clusterip web --tcp=80:8080',
    'kubectl create service clusterip web --clusterip=None',
  ],
  flags: { ...ports, clusterip: text('Cluster IP; None for a headless service, empty for any address') },
  failure: 'failed to create ClusterIP service: ',
  build: (call, name) => {
    const { clusterip, tcp } = call.flags
    if (clusterip !== 'None') requirePorts(call)
    return service(name, 'ClusterIP', { ...portsOf(tcp), ...(clusterip !== '' && { clusterIP: clusterip }) })
  },
})

const nodePort = generator({
  usage: 'NAME [--tcp=port:targetPort] [--dry-run=server|client|none] [options]',
  about: 'Create a service of type NodePort.',
  examples: ['kubectl create service nodeport web --tcp=80:8080'],
  flags: { ...ports, 'node-port': signedInteger('Node port; any free port by default') },
  failure: 'failed to create NodePort service: ',
  build: (call, name) => {
    requirePorts(call)
    const { tcp, 'node-port': number } = call.flags
    return service(name, 'NodePort', portsOf(tcp, number > 0 ? { nodePort: number } : {}))
  },
})

const loadBalancer = generator({
  usage: 'NAME [--tcp=port:targetPort] [--dry-run=server|client|none] [options]',
  about: 'Create a service of type LoadBalancer.',
  examples: ['kubectl create service loadbalancer web --tcp=80:8080'],
  flags: ports,
  failure: 'failed to create LoadBalancer service: ',
  build: (call, name) => {
    requirePorts(call)
    return service(name, 'LoadBalancer', portsOf(call.flags.tcp))
  },
})

const externalName = generator({
  usage: 'NAME --external-name external.name [--dry-run=server|client|none] [options]',
  about: 'Create a service of type ExternalName.',
  examples: ['kubectl create service externalname store --external-name=store.example.com'],
  flags: { ...ports, 'external-name': text('The external DNS name') },
  required: ['external-name'],
  failure: 'failed to create ExternalName service: ',
  build: ({ flags }, name) =>
    service(name, 'ExternalName', { externalName: flags['external-name'], ...portsOf(flags.tcp) }),
})

export const createService = commandGroup({
  about: 'Create a service of the given type.',
  subcommands: {
    clusterip: { about: 'Create a ClusterIP service', load: async () => clusterIp },
    externalname: { about: 'Create an ExternalName service', load: async () => externalName },
    loadbalancer: { about: 'Create a LoadBalancer service', load: async () => loadBalancer },
    nodeport: { about: 'Create a NodePort service', load: async () => nodePort },
  },
})

function requirePorts({ flags }: PortContext): void {
  if (flags.tcp.length === 0) throw new Error('at least one tcp port specifier must be provided')
}

function service(name: string, type: string, spec: JsonObject): JsonObject {
  const labels = { app: name }
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...noTimestamp, labels, name },
    spec: { ...spec, selector: labels, type },
    status: { loadBalancer: {} },
  }
}

function portsOf(specs: readonly string[], more: JsonObject = {}): JsonObject {
  if (specs.length === 0) return {}
  return { ports: specs.map((spec) => ({ ...readPort(spec), ...more })) }
}

/** Parses `80`, `80:8080` and `80:http`. */
function readPort(spec: string): JsonObject {
  const [first = '', second = first] = spec.split(':')
  const port = numberOf(first)
  const targetPort = /^[-+]?\d+$/.test(second) ? targetOf(second, first) : nameOf(second)
  return { name: spec.replaceAll(':', '-'), port, protocol: 'TCP', targetPort }
}

const highest = 65535

function numberOf(text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`strconv.ParseUint: parsing ${quote(text)}: invalid syntax`)
  if (Number(text) > highest) throw new Error(`strconv.ParseUint: parsing ${quote(text)}: value out of range`)
  return Number(text)
}

/** The target port; without one it is the port. */
function targetOf(text: string, port: string): number {
  const problems = text === port ? [] : portNumber(Number(text))
  if (problems.length > 0) throw new Error(problems.join(','))
  return Number(text)
}

function nameOf(text: string): string {
  const problems = portName(text)
  if (problems.length > 0) throw new Error(problems.join(','))
  return text
}
