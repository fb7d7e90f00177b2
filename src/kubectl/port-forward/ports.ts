import { isIP } from 'node:net'
import type { JsonObject } from '../../schema/declaration.js'
import { objectIn } from '../../schema/json-value.js'
import { quote } from '../../schema/quote.js'
import { metadataOf, type ResourceObject, resourceName } from '../resources/resource-object.js'

/** A port of a pod and the local port for it. */
export interface ForwardedPort {
  /** 0 for any free port. */
  readonly local: number
  readonly remote: number
}

interface Port {
  readonly name?: string
  readonly protocol?: string
  readonly port?: number
  readonly targetPort?: number | string
  readonly containerPort?: number
}

/**
 * Replaces names by numbers: `8080:http` becomes `8080:80`. Ports of a service become ports of its pods. Throws for unknown ports and for
 * ports that are not TCP.
 */
export function numberedPorts(words: readonly string[], info: ResourceObject, pod: ResourceObject): readonly string[] {
  const isService = resourceName(info.resource) === 'services'
  const numberOf = isService ? servicePorts(info) : podPorts(pod)
  const datagrams = onlyForDatagrams(isService ? info.object : pod.object, isService)
  for (const word of words) {
    const [, remote] = split(word)
    if (datagrams.has(isNumber(remote) ? Number(remote) : numberOf(remote)))
      throw new Error(`UDP protocol is not supported for ${remote}`)
  }
  return words.map((word) => (isService ? ofService(word, info, pod) : ofPod(word, pod)))
}

function ofPod(word: string, pod: ResourceObject): string {
  const [local, remote] = split(word)
  if (remote === '') throw new Error('remote port cannot be empty')
  const number = isNumber(remote) ? remote : String(podPorts(pod)(remote))
  return local === remote ? number : `${local}:${number}`
}

function ofService(word: string, service: ResourceObject, pod: ResourceObject): string {
  const [local, remote] = split(word)
  const number = isNumber(remote) ? Number(remote) : servicePorts(service)(remote)
  const target = String(targetOf(service, pod, number))
  const here = local === remote && !isNumber(remote) ? String(number) : local
  return here === target ? target : `${here}:${target}`
}

/** Returns `[LOCAL, REMOTE]`, which are equal if only one is given. */
function split(word: string): readonly [string, string] {
  const parts = word.split(':')
  return parts.length === 2 ? [parts[0]!, parts[1]!] : [parts[0]!, parts[0]!]
}

function isNumber(text: string): boolean {
  return /^[-+]?\d+$/.test(text)
}

function targetOf({ name, object }: ResourceObject, pod: ResourceObject, number: number): number {
  const spec = objectIn(object, 'spec') ?? {}
  if (spec.clusterIP === 'None') return number
  const found = portsOf(spec).find(({ port }) => port === number)
  if (!found) throw new Error(`Service ${name} does not have a service port ${number}`)
  const { targetPort = 0 } = found
  return typeof targetPort === 'string' ? podPorts(pod)(targetPort) : targetPort || number
}

function servicePorts({ name, object }: ResourceObject): (port: string) => number {
  return (port) => {
    const found = portsOf(objectIn(object, 'spec') ?? {}).find(({ name: own = '' }) => own === port)
    if (found?.port === undefined) throw new Error(`Service '${name}' does not have a named port '${port}'`)
    return found.port
  }
}

function podPorts({ object }: ResourceObject): (port: string) => number {
  return (port) => {
    const found = [...containerPorts(object, 'containers'), ...containerPorts(object, 'initContainers')].find(
      ({ name = '' }) => name === port,
    )
    if (found?.containerPort === undefined)
      throw new Error(`Pod '${metadataOf(object).name}' does not have a named port '${port}'`)
    return found.containerPort
  }
}

function containerPorts(pod: JsonObject, field: string): readonly Port[] {
  const containers = (objectIn(pod, 'spec')?.[field] ?? []) as readonly JsonObject[]
  return containers.flatMap(portsOf)
}

function portsOf({ ports }: JsonObject): readonly Port[] {
  return (ports ?? []) as readonly Port[]
}

/** The ports that are not TCP. */
function onlyForDatagrams(object: JsonObject, isService: boolean): ReadonlySet<number> {
  const ports = isService ? portsOf(objectIn(object, 'spec') ?? {}) : containerPorts(object, 'containers')
  const of = (wanted: string) =>
    ports.filter(({ protocol }) => protocol === wanted).map(({ port, containerPort }) => port ?? containerPort!)
  const connected = new Set(of('TCP'))
  return new Set(of('UDP').filter((number) => !connected.has(number)))
}

/** Parses `8080:80`, `80` and `:80`. */
export function parseForwardedPort(word: string): ForwardedPort {
  const parts = word.split(':')
  if (parts.length > 2) throw new Error(`invalid port format '${word}'`)
  const [first = '', remote = first] = parts
  const local = parts.length === 2 && first === '' ? '0' : first
  const port = { local: readNumber(local, 'local'), remote: readNumber(remote, 'remote') }
  if (port.remote === 0) throw new Error('remote port must be > 0')
  return port
}

function readNumber(text: string, which: string): number {
  const why = /^\d+$/.test(text) ? (Number(text) > 0xffff ? 'value out of range' : '') : 'invalid syntax'
  if (why !== '')
    throw new Error(`error parsing ${which} port '${text}': strconv.ParseUint: parsing ${quote(text)}: ${why}`)
  return Number(text)
}

/** An address to listen on. `localhost` is two addresses, one of which must work. */
export interface ListenAddress {
  readonly host: string
  readonly isOptional: boolean
}

export function readAddresses(given: readonly string[]): readonly ListenAddress[] {
  if (given.length === 0) throw new Error('you must specify at least 1 address')
  const found = new Map<string, ListenAddress>()
  for (const address of given) {
    if (address !== 'localhost' && isIP(address) === 0) throw new Error(`${address} is not a valid IP`)
    const hosts = address === 'localhost' ? ['127.0.0.1', '::1'].filter((host) => !found.has(host)) : [address]
    for (const host of hosts) found.set(host, { host, isOptional: address === 'localhost' })
  }
  return [...found.values()].sort((left, right) => (left.host < right.host ? -1 : 1))
}
