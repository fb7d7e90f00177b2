import * as field from '../../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../../schema/field-path.js'
import { configMapKey } from '../../../../schema/identifiers.js'
import { dnsLabel, dnsSubdomain, type Messages } from '../../../../schema/names.js'
import { parseCidr } from '../../../../schema/values/ip-address.js'
import { validateLegacyCidr } from '../../../validation/addresses.js'
import type { Node } from '../node.js'
import { validateResourceQuantity } from '../resource-requirements/resource-list-validation.js'
import { validateTaints } from '../taint/validation.js'
import type { ConfigMapNodeConfigSource, NodeConfigSource, NodeConfigStatus } from './status.js'

const podCidrsPath = fieldPath('spec', 'podCIDRs')
/** Upstream reports errors of taints under metadata, where they were annotations. */
const taintsPath = fieldPath('metadata', 'taints')

export function* validateNode(node: Node, old?: Node): Iterable<field.FieldError> {
  yield* validateTaints(node.spec.taints ?? [], taintsPath)
  yield* validateNodeResources(node)
  yield* validatePodCidrs(node, old)
}

/** Validates an update of a node or of its status. */
export function* validateNodeUpdate(node: Node, old: Node): Iterable<field.FieldError> {
  yield* validateNodeResources(node)
  yield* validateAddresses(node)
  yield* validateFixedFields(node, old)
  if (node.spec.configSource)
    yield* validateConfigSource(node.spec.configSource, fieldPath('spec', 'configSource'), 'spec')
  if (node.status.config) yield* validateConfigStatus(node.status.config, fieldPath('status', 'config'))
  yield* validateTaints(node.spec.taints ?? [], taintsPath)
  if ((node.spec.externalID ?? '') !== (old.spec.externalID ?? ''))
    yield field.forbidden(fieldPath('spec', 'externalID'), 'may not be updated')
}

function* validateNodeResources({ status }: Node): Iterable<field.FieldError> {
  for (const part of ['capacity', 'allocatable'] as const)
    for (const [name, quantity] of Object.entries(status[part] ?? {}))
      yield* validateResourceQuantity(name, quantity, fieldPath('status', part, name))
}

function* validatePodCidrs({ spec: { podCIDRs = [] } }: Node, old?: Node): Iterable<field.FieldError> {
  for (const [i, cidr] of podCIDRs.entries()) yield* validateLegacyCidr(cidr, podCidrsPath.index(i), old?.spec.podCIDRs)
  if (podCIDRs.length < 2) return
  const networks = podCIDRs.map(parseCidr)
  const wrong = networks.indexOf(undefined)
  if (wrong >= 0)
    yield field.internalError(
      podCidrsPath,
      `invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[${wrong}]: <nil> (invalid CIDR address: ${podCIDRs[wrong]})`,
    )
  const families = new Set(networks.map((network) => network?.address.bytes.length))
  if (wrong >= 0 || families.size < 2 || podCIDRs.length > 2)
    yield field.invalid(podCidrsPath, podCIDRs, 'may specify no more than one CIDR for each IP family')
  for (const [i, cidr] of podCIDRs.entries())
    if (podCIDRs.indexOf(cidr) < i) yield field.duplicate(podCidrsPath.index(i), cidr)
}

function* validateAddresses({ status: { addresses = [] } }: Node): Iterable<field.FieldError> {
  const seen = new Set<string>()
  for (const [i, { type, address }] of addresses.entries()) {
    const key = `${type} ${address}`
    if (seen.has(key))
      yield field.duplicate(fieldPath('status', 'addresses').index(i), { Type: type, Address: address })
    seen.add(key)
  }
}

/** Rejects changes of fields that a controller sets once. */
function* validateFixedFields({ spec }: Node, old: Node): Iterable<field.FieldError> {
  const before = old.spec.podCIDRs ?? []
  const after = spec.podCIDRs ?? []
  const changes = before.length === after.length ? before.filter((cidr, i) => cidr !== after[i]).length : 1
  for (let i = 0; i < changes && before.length > 0; i++)
    yield field.forbidden(podCidrsPath, 'node updates may not change podCIDR except from "" to valid')
  if (old.spec.providerID && old.spec.providerID !== spec.providerID)
    yield field.forbidden(
      fieldPath('spec', 'providerID'),
      'node updates may not change providerID except from "" to valid',
    )
}

/** Validates `configSource`, which has no effect any more. */

/** The status must name a revision of the config map, the spec must not. */
type Place = 'spec' | 'status'

export function* validateConfigSource(
  { configMap }: NodeConfigSource,
  path: FieldPath,
  place: Place,
): Iterable<field.FieldError> {
  if (configMap) yield* validateConfigMap(configMap, path.child('configMap'), place)
  else yield field.invalid(path, { ConfigMap: null }, 'exactly one reference subfield must be non-nil')
}

export function* validateConfigStatus(status: NodeConfigStatus, path: FieldPath): Iterable<field.FieldError> {
  for (const part of ['assigned', 'active', 'lastKnownGood'] as const) {
    const source = status[part]
    if (source) yield* validateConfigSource(source, path.child(part), 'status')
  }
}

function* validateConfigMap(
  source: ConfigMapNodeConfigSource,
  path: FieldPath,
  place: Place,
): Iterable<field.FieldError> {
  for (const part of ['uid', 'resourceVersion'] as const) {
    if (place === 'spec' && source[part]) yield field.forbidden(path.child(part), `${part} must not be set in spec`)
    if (place === 'status' && !source[part]) yield field.required(path.child(part), `${part} must be set in status`)
  }
  yield* validateText(source.namespace, path, ['namespace', dnsLabel])
  yield* validateText(source.name, path, ['name', dnsSubdomain])
  yield* validateText(source.kubeletConfigKey, path, ['kubeletConfigKey', configMapKey])
}

function validateText(
  text: string,
  path: FieldPath,
  [part, rule]: readonly [part: string, rule: (text: string) => Messages],
): readonly field.FieldError[] {
  if (text === '') return [field.required(path.child(part), `${part} must be set`)]
  return field.invalidForEach(path.child(part), text, rule(text))
}
