/**
 * Completes an update of a service. Clients may omit allocated addresses and ports, or send those of the previous type. They are restored
 * or dropped, so that updates are idempotent and a change of the type needs one field only. Upstream's order: `keepAllocated`,
 * `alignClusterIps`, then allocation, then `dropUnneeded`.
 */
import type { Draft } from '../../../../schema/infer.js'
import type { Service, ServicePort, ServiceSpec } from '../service.js'
import { isExternallyAccessible, needsClusterIp, needsHealthCheckPort, needsNodePorts } from './types.js'

/** Restores allocated addresses and ports that the client omitted. */
export function keepAllocated(draft: Draft<Service>, old: Service): void {
  const spec = ownSpec(draft)
  if (needsClusterIp(draft) && needsClusterIp(old)) {
    if (!spec.clusterIP) takeOver(spec, 'clusterIP', old.spec.clusterIP)
    if (!spec.clusterIPs?.length && spec.clusterIP === old.spec.clusterIP)
      takeOver(spec, 'clusterIPs', copied(old.spec.clusterIPs))
  }
  if (needsNodePorts(draft) && needsNodePorts(old)) spec.ports = withKnownNodePorts(spec.ports ?? [], old)
  if (needsHealthCheckPort(draft) && needsHealthCheckPort(old) && !spec.healthCheckNodePort)
    takeOver(spec, 'healthCheckNodePort', old.spec.healthCheckNodePort)
}

/** Restores node ports by the name of the port. No node port is used twice. */
function withKnownNodePorts(ports: readonly Draft<ServicePort>[], old: Service): Draft<ServicePort>[] {
  const before = old.spec.ports ?? []
  const byName = new Map(before.map(({ name = '', nodePort }) => [name, nodePort]))
  const after = nodePortsOf(ports)
  const used = new Set([...nodePortsOf(before)].filter((port) => after.has(port)))
  return ports.map((port) => {
    const known = byName.get(port.name ?? '')
    if (port.nodePort || !known || used.has(known)) return port
    used.add(known)
    return { ...port, nodePort: known }
  })
}

function nodePortsOf(ports: readonly ServicePort[] = []): ReadonlySet<number> {
  return new Set(ports.flatMap(({ nodePort }) => nodePort || []))
}

/** Keeps `clusterIP` equal to the first of `clusterIPs`: a change of one of them applies to both. */
export function alignClusterIps(draft: Draft<Service>, old?: Service): void {
  const spec = ownSpec(draft)
  const { clusterIP = '' } = spec
  if (!old) {
    if (clusterIP !== '' && !spec.clusterIPs?.length) spec.clusterIPs = [clusterIP]
    return
  }
  const before = old.spec.clusterIP ?? ''
  if (clusterIP === before) {
    if (!spec.clusterIPs?.length) takeOver(spec, 'clusterIPs', copied(old.spec.clusterIPs))
  } else if (sameList(spec.clusterIPs, old.spec.clusterIPs)) {
    if (clusterIP === '') delete spec.clusterIPs
    else spec.clusterIPs = [clusterIP]
  }
}

/**
 * Drops allocated values that the new type does not use, unless the client changed them at the same time. Then validation rejects them.
 */
export function dropUnneeded(draft: Draft<Service>, old: Service): void {
  ownSpec(draft)
  dropAddresses(draft, old)
  dropPorts(draft, old)
  dropTraffic(draft, old)
}

function dropAddresses(draft: Draft<Service>, old: Service): void {
  if (needsClusterIp(draft) || !needsClusterIp(old)) return
  const { spec } = draft
  if ((spec.clusterIP ?? '') === (old.spec.clusterIP ?? '') && sameList(spec.clusterIPs, old.spec.clusterIPs)) {
    delete spec.clusterIP
    delete spec.clusterIPs
  }
  if (sameList(spec.ipFamilies, old.spec.ipFamilies)) delete spec.ipFamilies
  if (spec.ipFamilyPolicy === old.spec.ipFamilyPolicy) delete spec.ipFamilyPolicy
}

function dropPorts(draft: Draft<Service>, old: Service): void {
  const { spec } = draft
  if (!needsNodePorts(draft) && needsNodePorts(old)) {
    const before = nodePortsOf(old.spec.ports)
    const isNew = [...nodePortsOf(spec.ports)].some((port) => !before.has(port))
    if (!isNew && spec.ports) spec.ports = spec.ports.map(({ nodePort: _, ...port }) => port)
  }
  const hadHealthCheck = needsHealthCheckPort(old) && !needsHealthCheckPort(draft)
  if (hadHealthCheck && spec.healthCheckNodePort === old.spec.healthCheckNodePort) delete spec.healthCheckNodePort
}

function dropTraffic(draft: Draft<Service>, old: Service): void {
  const { spec } = draft
  const isBalanced = spec.type === 'LoadBalancer'
  if (!isBalanced && old.spec.type === 'LoadBalancer') {
    if (spec.allocateLoadBalancerNodePorts === old.spec.allocateLoadBalancerNodePorts)
      delete spec.allocateLoadBalancerNodePorts
    if (spec.loadBalancerClass === old.spec.loadBalancerClass) delete spec.loadBalancerClass
  }
  const lostPolicy = isExternallyAccessible(old.spec) && !isExternallyAccessible(spec)
  if (lostPolicy && spec.externalTrafficPolicy === old.spec.externalTrafficPolicy) delete spec.externalTrafficPolicy
  const lostAddress = needsClusterIp(old) && !needsClusterIp(draft)
  if (lostAddress && spec.internalTrafficPolicy === old.spec.internalTrafficPolicy) delete spec.internalTrafficPolicy
  if (!isBalanced) draft.status = { ...draft.status, loadBalancer: {} }
}

/** Copies the spec, which may be shared with the old service. */
function ownSpec(draft: Draft<Service>): Draft<ServiceSpec> {
  draft.spec = { ...draft.spec }
  return draft.spec
}

export function sameList(left: readonly string[] = [], right: readonly string[] = []): boolean {
  return left.length === right.length && left.every((value, i) => value === right[i])
}

function copied(list: readonly string[] | undefined): string[] | undefined {
  return list && [...list]
}

/** Sets a field, or deletes it if the value is undefined. */
function takeOver<T, K extends keyof T>(target: T, key: K, value: T[K] | undefined): void {
  if (value === undefined) delete target[key]
  else target[key] = value
}
