import * as field from '../../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../../schema/field-path.js'
import { inRange } from '../../../../schema/identifiers.js'
import { labelKey } from '../../../../schema/label-names.js'
import { dnsSubdomain } from '../../../../schema/names.js'
import { validateLabels } from '../../../metadata/labels.js'
import { validateChoice } from '../../../validation/choices.js'
import { type SpreadLeniency, validateTopologySpreadConstraints } from '../affinity/topology-spread-validation.js'
import { type AffinityLeniency, validateAffinity } from '../affinity/validation.js'
import { validateContainers, validateEphemeralContainers, validateInitContainers } from '../container/validation.js'
import { validatePodSecurityContext } from '../security-context/validation.js'
import { validateTolerations } from '../taint/validation.js'
import { validateVolumes } from '../volume/validation.js'
import {
  validateDnsConfig,
  validateHostAliases,
  validateHostnameOverride,
  validateHostnames,
} from './dns-validation.js'
import { validateHostNetworkPorts, validateHostUsers } from './host-validation.js'
import { validateHostProcesses, validateOperatingSystem } from './os-validation.js'
import { validateOverhead, validatePodResourceClaims, validatePodResources } from './resource-validation.js'
import { DNSPolicy, type PodSpec, PreemptionPolicy, RestartPolicy } from './spec.js'
import type { PodPartContext, PodRulesContext } from './validation-context.js'

/** Validates the spec of a pod. */
export function validatePodSpec(
  given: PodSpec,
  path: FieldPath,
  context: PodRulesContext,
): readonly field.FieldError[] {
  // A required list is null if the client omits it.
  const spec = given.containers ? given : { ...given, containers: [] }
  const { errors: volumeErrors, volumes } = validateVolumes(spec, path.child('volumes'), context)
  const { allowPrivileged, old, podName } = context
  const part: PodPartContext = { allowPrivileged, old, podName, spec, volumes }
  return [
    ...volumeErrors,
    ...validatePodResourceClaims(spec.resourceClaims, path.child('resourceClaims'), context),
    ...validateContainers(spec.containers, path.child('containers'), part),
    ...validateInitContainers(spec.initContainers ?? [], path.child('initContainers'), part),
    ...validateEphemeralContainers(spec.ephemeralContainers ?? [], path.child('ephemeralContainers'), part),
    ...validatePodResources(spec, path.child('resources')),
    ...validateHostNetworkPorts(spec, path),
    ...validateLife(spec, path),
    ...validatePodSecurityContext(spec, path, context),
    ...validatePlacement(spec, path, context),
    ...validateHostProcesses(spec, path, context.allowPrivileged),
    ...validateHostUsers(spec, path, context),
    ...validateNames(spec, path),
    ...validateTolerations(spec.tolerations, path.child('tolerations')),
    ...validateHostAliases(spec.hostAliases, path.child('hostAliases')),
    ...validateClasses(spec, path),
    ...validateOverhead(spec, path.child('overhead')),
    ...validateOperatingSystem(spec, path),
  ]
}

function validateLife({ restartPolicy, dnsPolicy, nodeSelector }: PodSpec, path: FieldPath): field.FieldError[] {
  return [
    ...validateChoice(restartPolicy, path.child('restartPolicy'), RestartPolicy.type.values),
    ...validateChoice(dnsPolicy, path.child('dnsPolicy'), DNSPolicy.type.values),
    ...(nodeSelector ? validateLabels(nodeSelector, path.child('nodeSelector')) : field.none),
  ]
}

/** Validates the fields for the placement of a pod. */
function validatePlacement(spec: PodSpec, path: FieldPath, { old }: PodRulesContext): field.FieldError[] {
  const leniency = lenienciesOf(old)
  return [
    ...validateAffinity(spec.affinity, path.child('affinity'), leniency),
    ...validateDnsConfig(spec.dnsConfig, spec.dnsPolicy ?? '', path.child('dnsConfig')),
    ...validateReadinessGates(spec, path.child('readinessGates')),
    ...validateSchedulingGates(spec, path.child('schedulingGates')),
    ...validateTopologySpreadConstraints(
      spec.topologySpreadConstraints,
      path.child('topologySpreadConstraints'),
      leniency,
    ),
  ]
}

function validateReadinessGates({ readinessGates }: PodSpec, path: FieldPath): readonly field.FieldError[] {
  if (!readinessGates) return field.none
  return readinessGates.flatMap(({ conditionType }, i) =>
    field.invalidForEach(path.index(i).child('conditionType'), conditionType, labelKey(conditionType)),
  )
}

function validateSchedulingGates({ schedulingGates }: PodSpec, path: FieldPath): readonly field.FieldError[] {
  if (!schedulingGates) return field.none
  return schedulingGates.flatMap(({ name }, i) => {
    const isRepeated = schedulingGates.findIndex((gate) => gate.name === name) < i
    return [
      ...field.invalidForEach(path.index(i), name, labelKey(name)),
      ...(isRepeated ? [field.duplicate(path.index(i), name)] : []),
    ]
  })
}

const longest = 2 ** 31 - 1

/** Validates service account, node, deadline and names. */
function validateNames(spec: PodSpec, path: FieldPath): readonly field.FieldError[] {
  const { serviceAccountName, nodeName, activeDeadlineSeconds: deadline } = spec
  const errors: field.FieldError[] = [
    ...validateName(serviceAccountName, path, 'serviceAccountName'),
    ...validateName(nodeName, path, 'nodeName'),
  ]
  if (deadline !== undefined)
    errors.push(...field.invalidForEach(path.child('activeDeadlineSeconds'), deadline, inRange(deadline, 1, longest)))
  errors.push(...validateHostnames(spec, path), ...validateHostnameOverride(spec, path))
  return errors
}

/** Validates an optional name of an object. */
function validateName(name: string | undefined, path: FieldPath, child: string): readonly field.FieldError[] {
  return name ? field.invalidForEach(path.child(child), name, dnsSubdomain(name)) : field.none
}

function validateClasses(spec: PodSpec, path: FieldPath): readonly field.FieldError[] {
  const { runtimeClassName, preemptionPolicy, priorityClassName } = spec
  const errors: field.FieldError[] = [...validateName(priorityClassName, path, 'priorityClassName')]
  if (runtimeClassName !== undefined)
    errors.push(
      ...field.invalidForEach(path.child('runtimeClassName'), runtimeClassName, dnsSubdomain(runtimeClassName)),
    )
  if (preemptionPolicy !== undefined)
    errors.push(...validateChoice(preemptionPolicy, path.child('preemptionPolicy'), PreemptionPolicy.type.values))
  return errors
}

const nowhere = fieldPath('spec')

/**
 * The validations to skip in an update because the old pod is already invalid under them: existing pods must stay changeable. A skipped
 * validation is skipped for all values.
 */
export function lenienciesOf(old: PodSpec | undefined): AffinityLeniency & SpreadLeniency {
  if (!old?.affinity && !old?.topologySpreadConstraints) return {}
  const { affinity, topologySpreadConstraints } = old
  const nodeAffinity = affinity?.nodeAffinity && { nodeAffinity: affinity.nodeAffinity }
  return {
    anyNodeValue: validateAffinity(nodeAffinity, nowhere).length > 0,
    anyPodValue: validateAffinity({ ...affinity, nodeAffinity: undefined } as never, nowhere).length > 0,
    anySelector: validateTopologySpreadConstraints(topologySpreadConstraints, nowhere).length > 0,
  }
}
