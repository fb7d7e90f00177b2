import { quote } from '../../../schema/quote.js'
import {
  allContainers,
  type CheckedPod,
  containersText,
  plural,
  quotedList,
  settersText,
  sortedDistinct,
  type Violation,
} from './check.js'

const podAnnotation = 'seccomp.security.alpha.kubernetes.io/pod'
const containerAnnotation = 'container.seccomp.security.alpha.kubernetes.io/'

/** Rejects unconfined profiles in the old annotations. */
export function seccompAnnotations({ metadata: { annotations = {} }, spec }: CheckedPod): Violation | undefined {
  const keys = [podAnnotation, ...allContainers(spec).map(({ name }) => containerAnnotation + name)]
  const bad = keys.filter((key) => annotations[key] !== undefined && !isAllowedAnnotation(annotations[key]))
  if (bad.length === 0) return undefined
  const texts = sortedDistinct(bad.map((key) => `${key}=${quote(annotations[key]!)}`))
  return {
    reason: 'seccompProfile',
    detail: `forbidden ${plural(texts, 'annotation', 'annotations')} ${texts.join(', ')}`,
  }
}

function isAllowedAnnotation(value: string): boolean {
  return value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/')
}

function isBad(type: string | undefined): boolean {
  return type !== undefined && !isGood(type)
}

function isGood(type: string | undefined): boolean {
  return type === 'RuntimeDefault' || type === 'Localhost'
}

/** Rejects unconfined profiles. */
export function seccompSetters({ spec }: CheckedPod): Violation | undefined {
  const ofPod = spec.securityContext?.seccompProfile?.type
  const bad = allContainers(spec).filter(({ securityContext }) => isBad(securityContext?.seccompProfile?.type))
  const types = [
    ...(isBad(ofPod) ? [ofPod!] : []),
    ...bad.map(({ securityContext }) => securityContext!.seccompProfile!.type),
  ]
  if (types.length === 0) return undefined
  const who = settersText(
    isBad(ofPod),
    bad.map(({ name }) => name),
  )
  return {
    reason: 'seccompProfile',
    detail: `${who} must not set securityContext.seccompProfile.type to ${quotedList(sortedDistinct(types))}`,
  }
}

/** Requires a confining profile. */
export function seccompRequired(pod: CheckedPod): Violation | undefined {
  const wrong = seccompSetters(pod)
  if (wrong || isGood(pod.spec.securityContext?.seccompProfile?.type)) return wrong
  const names = allContainers(pod.spec)
    .filter(({ securityContext }) => securityContext?.seccompProfile === undefined)
    .map(({ name }) => name)
  if (names.length === 0) return undefined
  return {
    reason: 'seccompProfile',
    detail: `pod or ${containersText(names)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  }
}
