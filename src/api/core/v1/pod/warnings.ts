import type { FieldPath } from '../../../../schema/field-path.js'
import { labelValue } from '../../../../schema/label-names.js'
import { quote } from '../../../../schema/quote.js'
import { ipWarnings } from '../../../../schema/values/addresses.js'
import { deprecatedLabelNotice, nodeSelectorTermWarnings } from '../affinity/deprecated-node-labels.js'
import type { NodeSelectorTerm } from '../affinity/node-selector.js'
import type { NodeAffinity, PodAffinity } from '../affinity.js'
import { containerWarnings, fractionWarnings, portWarnings } from '../container/warnings.js'
import type { LocalObjectReference } from '../object-reference.js'
import { hasKeyUnder } from '../security-context/profile-agreement.js'
import { seccompContainerPrefix, seccompPodKey } from '../security-context/seccomp-annotations.js'
import { volumeWarnings } from '../volume/warnings.js'
import { visitContainers } from './containers.js'
import type { HostAlias, PodSpec } from './spec.js'

type Annotations = Readonly<Record<string, string>>

/** Warnings about a pod or a template; `path` leads to what has the metadata and the spec. */
export function podWarnings(spec: PodSpec, annotations: Annotations, path: FieldPath): readonly string[] {
  const specPath = path.child('spec')
  return [
    ...nodeWarnings(spec, specPath),
    ...spreadWarnings(spec, specPath.child('topologySpreadConstraints')),
    ...annotationWarnings(annotations, path.child('metadata', 'annotations')),
    ...volumeWarnings(spec.volumes, specPath.child('volumes')),
    ...listWarnings(spec, specPath),
    ...overheadWarnings(spec, specPath.child('overhead')),
    ...everyContainer(spec, annotations, path),
    ...portWarnings(spec, specPath),
    ...graceWarnings(spec, specPath),
    ...podAffinityWarnings(spec, specPath.child('affinity')),
  ]
}

const requiredName = 'requiredDuringSchedulingIgnoredDuringExecution'
const preferredName = 'preferredDuringSchedulingIgnoredDuringExecution'

function nodeWarnings({ nodeSelector, affinity }: PodSpec, path: FieldPath): readonly string[] {
  const warnings: string[] = []
  for (const key in nodeSelector) {
    const message = deprecatedLabelNotice(key)
    if (message) warnings.push(`${path.child('nodeSelector').key(key)}: ${message}`)
  }
  if (!affinity?.nodeAffinity) return warnings
  return [...warnings, ...nodeAffinityWarnings(affinity.nodeAffinity, path.child('affinity', 'nodeAffinity'))]
}

function nodeAffinityWarnings(affinity: NodeAffinity, path: FieldPath): readonly string[] {
  const terms = path.child(requiredName, 'nodeSelectorTerms')
  const preferred = path.child(preferredName)
  return [
    ...(affinity[requiredName]?.nodeSelectorTerms ?? []).flatMap((term, i) =>
      nodeSelectorTermWarnings(term, terms.index(i)),
    ),
    ...(affinity[preferredName] ?? []).flatMap(({ preference }, i) =>
      preferenceWarnings(preference, preferred.index(i).child('preference')),
    ),
  ]
}

/** Warnings about preferences that no node can match. */
function preferenceWarnings(term: NodeSelectorTerm, path: FieldPath): readonly string[] {
  const values = (term.matchExpressions ?? []).flatMap(({ values = [] }, i) => {
    const at = path.child('matchExpressions').index(i).child('values')
    return values.flatMap((value, j) => labelValue(value).map((why) => `${at.index(j)}: ${value} is invalid, ${why}`))
  })
  return [...nodeSelectorTermWarnings(term, path), ...values]
}

const matchesNothing = 'a null labelSelector results in matching no pod'

function spreadWarnings({ topologySpreadConstraints }: PodSpec, path: FieldPath): readonly string[] {
  if (!topologySpreadConstraints) return []
  return topologySpreadConstraints.flatMap(({ topologyKey, labelSelector }, i) => {
    const message = deprecatedLabelNotice(topologyKey)
    return [
      ...(message ? [`${path.index(i).child('topologyKey')}: ${topologyKey} is ${message}`] : []),
      ...(labelSelector ? [] : [`${path.index(i).child('labelSelector')}: ${matchesNothing}`]),
    ]
  })
}

const deprecatedAnnotations = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
] as const

function annotationWarnings(annotations: Annotations, path: FieldPath): readonly string[] {
  const warnings: string[] = []
  for (const [key, message] of deprecatedAnnotations)
    if (annotations[key] !== undefined) warnings.push(`${path.key(key)}: ${message}`)
  return warnings
}

/** Warnings about duplicate or empty entries of lists. */
function listWarnings({ hostAliases, imagePullSecrets, dnsConfig }: PodSpec, path: FieldPath): readonly string[] {
  return [
    ...(hostAliases ? aliasWarnings(hostAliases, path.child('hostAliases')) : []),
    ...(dnsConfig?.nameservers
      ? nameserverWarnings(dnsConfig.nameservers, path.child('dnsConfig', 'nameservers'))
      : []),
    ...(imagePullSecrets ? pullSecretWarnings(imagePullSecrets, path.child('imagePullSecrets')) : []),
  ]
}

function aliasWarnings(aliases: readonly HostAlias[], path: FieldPath): readonly string[] {
  const ips = aliases.map(({ ip }) => ip)
  return [
    ...repetitions(ips).map((i) => `${path.index(i).child('ip')}: duplicate ip ${quote(ips[i]!)}`),
    ...ips.flatMap((ip, i) => ipWarnings(path.index(i).child('ip'), ip)),
  ]
}

function nameserverWarnings(ips: readonly string[], path: FieldPath): readonly string[] {
  return ips.flatMap((ip, i) => ipWarnings(path.index(i), ip))
}

function pullSecretWarnings(secrets: readonly LocalObjectReference[], path: FieldPath): readonly string[] {
  const names = secrets.map(({ name = '' }) => name)
  return [
    ...repetitions(names).map((i) => `${path.index(i).child('name')}: duplicate name ${quote(names[i]!)}`),
    ...names.flatMap((name, i) => (name === '' ? [`${path.index(i).child('name')}: invalid empty name ""`] : [])),
  ]
}

/** The indices of values that occur earlier in the list. */
function repetitions(values: readonly string[]): readonly number[] {
  return values.flatMap((value, i) => (values.indexOf(value) < i ? [i] : []))
}

function overheadWarnings({ overhead }: PodSpec, path: FieldPath): readonly string[] {
  return overhead ? fractionWarnings(overhead, path) : []
}

function everyContainer(spec: PodSpec, annotations: Annotations, path: FieldPath): readonly string[] {
  const warnings: string[] = []
  const seccomp = (key: string) => {
    const at = path.child('metadata', 'annotations').key(key)
    if (annotations[key] !== undefined)
      warnings.push(`${at}: non-functional in v1.27+; use the "seccompProfile" field instead`)
  }
  if (!spec.securityContext?.seccompProfile) seccomp(seccompPodKey)
  const isAnnotated = hasKeyUnder(annotations, seccompContainerPrefix)
  visitContainers(spec, path.child('spec'), (container, where) => {
    if (isAnnotated && !container.securityContext?.seccompProfile) seccomp(seccompContainerPrefix + container.name)
    warnings.push(...containerWarnings(container, where))
  })
  return warnings
}

function graceWarnings({ terminationGracePeriodSeconds: grace = 0 }: PodSpec, path: FieldPath): readonly string[] {
  if (grace >= 0) return []
  return [
    `${path.child('terminationGracePeriodSeconds')}: must be >= 0; negative values are invalid and will be treated as 1`,
  ]
}

function podAffinityWarnings({ affinity }: PodSpec, path: FieldPath): readonly string[] {
  if (!affinity) return []
  const { podAffinity, podAntiAffinity } = affinity
  return [
    ...(podAffinity ? termWarnings(podAffinity, path.child('podAffinity')) : []),
    ...(podAntiAffinity ? termWarnings(podAntiAffinity, path.child('podAntiAffinity')) : []),
  ]
}

function termWarnings(affinity: PodAffinity, path: FieldPath): readonly string[] {
  const required = path.child(requiredName)
  const preferred = path.child(preferredName)
  return [
    ...(affinity[requiredName] ?? []).flatMap(({ labelSelector }, i) =>
      labelSelector ? [] : [`${required.index(i).child('labelSelector')}: ${matchesNothing}`],
    ),
    ...(affinity[preferredName] ?? []).flatMap(({ podAffinityTerm }, i) =>
      podAffinityTerm.labelSelector
        ? []
        : [`${preferred.index(i).child('podAffinityTerm', 'labelSelector')}: ${matchesNothing}`],
    ),
  ]
}
