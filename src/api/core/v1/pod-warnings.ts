import { ipWarnings } from '../../../schema/addresses.js'
import type { FieldPath } from '../../../schema/field-path.js'
import { labelValue } from '../../../schema/label-names.js'
import { quote } from '../../../schema/quote.js'
import type { Affinity, PodAffinity } from './affinity.js'
import { containerWarnings, fractionWarnings, portWarnings } from './container-warnings.js'
import { deprecatedLabelNotice, nodeSelectorTermWarnings } from './deprecated-node-labels.js'
import type { NodeSelectorTerm } from './node-selector.js'
import { visitContainers } from './pod-containers.js'
import type { PodSpec } from './pod-spec.js'
import { seccompContainerPrefix, seccompPodKey } from './seccomp-annotations.js'
import { volumeWarnings } from './volume-warnings.js'

type Annotations = Readonly<Record<string, string>>

/** What is doubtful about a pod or a template; `path` leads to what has the metadata and the spec. */
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
    ...podAffinityWarnings(spec.affinity, specPath.child('affinity')),
  ]
}

const requiredName = 'requiredDuringSchedulingIgnoredDuringExecution'
const preferredName = 'preferredDuringSchedulingIgnoredDuringExecution'

function nodeWarnings({ nodeSelector, affinity }: PodSpec, path: FieldPath): readonly string[] {
  const at = path.child('affinity', 'nodeAffinity')
  const terms = affinity?.nodeAffinity?.[requiredName]?.nodeSelectorTerms ?? []
  return [
    ...Object.keys(nodeSelector ?? {}).flatMap((key) => {
      const message = deprecatedLabelNotice(key)
      return message ? [`${path.child('nodeSelector').key(key)}: ${message}`] : []
    }),
    ...terms.flatMap((term, i) => nodeSelectorTermWarnings(term, at.child(requiredName, 'nodeSelectorTerms').index(i))),
    ...(affinity?.nodeAffinity?.[preferredName] ?? []).flatMap(({ preference }, i) =>
      preferenceWarnings(preference, at.child(preferredName).index(i).child('preference')),
    ),
  ]
}

/** A preference for what cannot be is not refused. */
function preferenceWarnings(term: NodeSelectorTerm, path: FieldPath): readonly string[] {
  const values = (term.matchExpressions ?? []).flatMap(({ values = [] }, i) => {
    const at = path.child('matchExpressions').index(i).child('values')
    return values.flatMap((value, j) => labelValue(value).map((why) => `${at.index(j)}: ${value} is invalid, ${why}`))
  })
  return [...nodeSelectorTermWarnings(term, path), ...values]
}

const matchesNothing = 'a null labelSelector results in matching no pod'

function spreadWarnings({ topologySpreadConstraints = [] }: PodSpec, path: FieldPath): readonly string[] {
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
  return deprecatedAnnotations.flatMap(([key, message]) =>
    annotations[key] === undefined ? [] : [`${path.key(key)}: ${message}`],
  )
}

/** Entries of lists that hide each other, or that mean nothing. */
function listWarnings({ hostAliases = [], imagePullSecrets = [], dnsConfig }: PodSpec, path: FieldPath): string[] {
  const aliases = path.child('hostAliases')
  const secrets = path.child('imagePullSecrets')
  const ips = hostAliases.map(({ ip }) => ip)
  const names = imagePullSecrets.map(({ name = '' }) => name)
  return [
    ...repetitions(ips).map((i) => `${aliases.index(i).child('ip')}: duplicate ip ${quote(ips[i]!)}`),
    ...ips.flatMap((ip, i) => ipWarnings(aliases.index(i).child('ip'), ip)),
    ...(dnsConfig?.nameservers ?? []).flatMap((ip, i) =>
      ipWarnings(path.child('dnsConfig', 'nameservers').index(i), ip),
    ),
    ...repetitions(names).map((i) => `${secrets.index(i).child('name')}: duplicate name ${quote(names[i]!)}`),
    ...names.flatMap((name, i) => (name === '' ? [`${secrets.index(i).child('name')}: invalid empty name ""`] : [])),
  ]
}

/** The positions of what was there before. */
function repetitions(values: readonly string[]): readonly number[] {
  return values.flatMap((value, i) => (values.indexOf(value) < i ? [i] : []))
}

function overheadWarnings({ overhead }: PodSpec, path: FieldPath): readonly string[] {
  if (!overhead) return []
  return ['memory', 'ephemeral-storage'].flatMap((name) => fractionWarnings(overhead, name, path))
}

function everyContainer(spec: PodSpec, annotations: Annotations, path: FieldPath): readonly string[] {
  const at = path.child('metadata', 'annotations')
  const warnings: string[] = []
  const seccomp = (key: string) => {
    if (annotations[key] !== undefined)
      warnings.push(`${at.key(key)}: non-functional in v1.27+; use the "seccompProfile" field instead`)
  }
  if (!spec.securityContext?.seccompProfile) seccomp(seccompPodKey)
  visitContainers(spec, path.child('spec'), (container, where) => {
    if (!container.securityContext?.seccompProfile) seccomp(seccompContainerPrefix + container.name)
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

function podAffinityWarnings(affinity: Affinity | undefined, path: FieldPath): readonly string[] {
  return [
    ...termWarnings(affinity?.podAffinity, path.child('podAffinity')),
    ...termWarnings(affinity?.podAntiAffinity, path.child('podAntiAffinity')),
  ]
}

function termWarnings(affinity: PodAffinity | undefined, path: FieldPath): readonly string[] {
  const required = path.child(requiredName)
  const preferred = path.child(preferredName)
  return [
    ...(affinity?.[requiredName] ?? []).flatMap(({ labelSelector }, i) =>
      labelSelector ? [] : [`${required.index(i).child('labelSelector')}: ${matchesNothing}`],
    ),
    ...(affinity?.[preferredName] ?? []).flatMap(({ podAffinityTerm }, i) =>
      podAffinityTerm.labelSelector
        ? []
        : [`${preferred.index(i).child('podAffinityTerm', 'labelSelector')}: ${matchesNothing}`],
    ),
  ]
}
