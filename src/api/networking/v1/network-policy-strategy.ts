import * as field from '../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../schema/field-path.js'
import { portName } from '../../../schema/identifiers.js'
import { declareDefaults, declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { cidrWarnings } from '../../../schema/values/addresses.js'
import { networkOf, parseCidr, sameAddress } from '../../../schema/values/ip-address.js'
import { labelSelectorText } from '../../selectors/label-selector.js'
import { type SelectorLeniency, validateLabelSelector } from '../../selectors/label-selector-validation.js'
import { validateLegacyCidr } from '../../validation/addresses.js'
import { validatePortNumber } from '../../validation/ports.js'
import type { IPBlock, NetworkPolicyPeer } from './network-policy.js'
import { NetworkPolicy, NetworkPolicyPort, NetworkPolicySpec } from './network-policy.js'

export const networkPolicySpecDefaults = declareDefaults<NetworkPolicySpec>(NetworkPolicySpec, (spec) => {
  if (!spec.policyTypes?.length) spec.policyTypes = spec.egress?.length ? ['Ingress', 'Egress'] : ['Ingress']
})

export const networkPolicyPortDefaults = declareDefaults<NetworkPolicyPort>(NetworkPolicyPort, (port) => {
  port.protocol ??= 'TCP'
})

export const networkPolicyTable = declareTable<NetworkPolicy>(NetworkPolicy, {
  'Pod-Selector': ({ spec }) => labelSelectorText(spec.podSelector),
})

export const networkPolicyStrategy = declareStrategy<NetworkPolicy>(NetworkPolicy, {
  intent: ({ spec }) => [spec],
  validate: (policy) => validateNetworkPolicy(policy, { selectors: {}, before: [] }),
  validateUpdate: (policy, old) =>
    validateNetworkPolicy(policy, {
      selectors: { anyValue: validateLabelSelector(old.spec.podSelector, specPath).length > 0 },
      before: placedPeers(old).flatMap(({ peer: { ipBlock } }) =>
        ipBlock ? [ipBlock.cidr, ...(ipBlock.except ?? [])] : [],
      ),
    }),
  warnings: (policy) => placedPeers(policy).flatMap(({ peer, path }) => blockWarnings(peer.ipBlock, path)),
})

/** Values of the old policy that stay allowed. */
interface Allowance {
  readonly selectors: SelectorLeniency
  /** Networks that are not validated again. */
  readonly before: readonly string[]
}

const specPath = fieldPath('spec')

function* validateNetworkPolicy({ spec }: NetworkPolicy, allowance: Allowance): Iterable<field.FieldError> {
  yield* validateLabelSelector(spec.podSelector, specPath.child('podSelector'), allowance.selectors)
  for (const { ports, peers } of directions(spec)) {
    for (const { port, path } of ports) yield* validatePort(port, path)
    for (const { peer, path } of peers) yield* validatePeer(peer, path, allowance)
  }
  yield* validatePolicyTypes(spec.policyTypes ?? [], specPath.child('policyTypes'))
}

interface PlacedPeer {
  readonly peer: NetworkPolicyPeer
  readonly path: FieldPath
}

interface PlacedRule {
  readonly ports: readonly { readonly port: NetworkPolicyPort; readonly path: FieldPath }[]
  readonly peers: readonly PlacedPeer[]
}

/** All rules of both directions with their paths. */
function directions({ ingress = [], egress = [] }: NetworkPolicySpec): readonly PlacedRule[] {
  return [
    ...ingress.map(({ ports, from }, i) => placed({ ports, peers: from }, specPath.child('ingress').index(i), 'from')),
    ...egress.map(({ ports, to }, i) => placed({ ports, peers: to }, specPath.child('egress').index(i), 'to')),
  ]
}

function placed(
  rule: {
    readonly ports: readonly NetworkPolicyPort[] | undefined
    readonly peers: readonly NetworkPolicyPeer[] | undefined
  },
  path: FieldPath,
  name: 'from' | 'to',
): PlacedRule {
  return {
    ports: (rule.ports ?? []).map((port, i) => ({ port, path: path.child('ports').index(i) })),
    peers: (rule.peers ?? []).map((peer, i) => ({ peer, path: path.child(name).index(i) })),
  }
}

function placedPeers({ spec }: NetworkPolicy): readonly PlacedPeer[] {
  return directions(spec).flatMap(({ peers }) => peers)
}

const protocols = ['TCP', 'UDP', 'SCTP'] as const

function* validatePort({ protocol, port, endPort }: NetworkPolicyPort, path: FieldPath): Iterable<field.FieldError> {
  if (protocol !== undefined && !protocols.includes(protocol))
    yield field.notSupported(path.child('protocol'), protocol, protocols)
  const endPath = path.child('endPort')
  if (typeof port === 'number') {
    yield* validatePortNumber(port, path.child('port'))
    if (endPort === undefined) return
    if (endPort < port) yield field.invalid(endPath, port, 'must be greater than or equal to `port`')
    yield* validatePortNumber(endPort, endPath)
    return
  }
  if (endPort !== undefined)
    yield field.invalid(
      endPath,
      endPort,
      `may not be specified when \`port\` is ${port === undefined ? 'not specified' : 'non-numeric'}`,
    )
  if (port !== undefined) yield* field.invalidForEach(path.child('port'), port, portName(port))
}

function* validatePeer(
  { podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer,
  path: FieldPath,
  { selectors, before }: Allowance,
): Iterable<field.FieldError> {
  yield* validateLabelSelector(podSelector, path.child('podSelector'), selectors)
  yield* validateLabelSelector(namespaceSelector, path.child('namespaceSelector'), selectors)
  if (ipBlock) yield* validateBlock(ipBlock, path.child('ipBlock'), before)
  if (!podSelector && !namespaceSelector && !ipBlock) yield field.required(path, 'must specify a peer')
  else if (ipBlock && (podSelector || namespaceSelector))
    yield field.forbidden(path, 'may not specify both ipBlock and another peer')
}

function* validateBlock(
  { cidr, except = [] }: IPBlock,
  path: FieldPath,
  before: readonly string[],
): Iterable<field.FieldError> {
  if (cidr === '') {
    yield field.required(path.child('cidr'))
    return
  }
  yield* validateLegacyCidr(cidr, path.child('cidr'), before)
  if (!parseCidr(cidr)) return
  for (const [i, part] of except.entries()) {
    const partPath = path.child('except').index(i)
    yield* validateLegacyCidr(part, partPath, before)
    if (parseCidr(part) && !isStrictlyInside(part, cidr))
      yield field.invalid(partPath, part, 'must be a strict subset of `cidr`')
  }
}

/** Requires two valid networks. */
function isStrictlyInside(inner: string, outer: string): boolean {
  const part = parseCidr(inner)!
  const whole = parseCidr(outer)!
  if (whole.prefixLength >= part.prefixLength) return false
  const start = networkOf(part)
  return sameAddress(networkOf({ ...whole, address: { ...start, mapped: whole.address.mapped } }), networkOf(whole))
}

const policyTypes = ['Ingress', 'Egress'] as const

function* validatePolicyTypes(
  types: NonNullable<NetworkPolicySpec['policyTypes']>,
  path: FieldPath,
): Iterable<field.FieldError> {
  if (types.length > policyTypes.length) {
    yield field.invalid(path, types, 'may not specify more than two policyTypes')
    return
  }
  for (const [i, type] of types.entries())
    if (!policyTypes.includes(type)) yield field.notSupported(path.index(i), type, policyTypes)
}

function blockWarnings(block: IPBlock | undefined, path: FieldPath): readonly string[] {
  if (!block) return []
  const blockPath = path.child('ipBlock')
  const exceptPath = blockPath.child('except')
  return [
    ...cidrWarnings(blockPath.child('cidr'), block.cidr),
    ...(block.except ?? []).flatMap((part, i) => cidrWarnings(exceptPath.index(i), part)),
  ]
}
