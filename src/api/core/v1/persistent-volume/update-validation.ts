import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import { fieldPath } from '../../../../schema/field-path.js'
import { immutable, isSame } from '../../../validation/immutability.js'
import type { NodeSelectorRequirement } from '../affinity/node-selector.js'
import type { PersistentVolumeSpec, VolumeNodeAffinity } from '../persistent-volume.js'

const specPath = fieldPath('spec')

/** Rejects changes of immutable fields of a volume. */
export function volumeChangeErrors(spec: PersistentVolumeSpec, old: PersistentVolumeSpec): readonly FieldError[] {
  const errors: FieldError[] = []
  if (!isSame(sourceOf(spec, old), sourceOf(old, old)))
    errors.push(
      field.forbidden(
        specPath.child('persistentvolumesource'),
        'spec.persistentvolumesource is immutable after creation',
      ),
    )
  if (spec.volumeMode !== old.volumeMode)
    errors.push(field.invalid(fieldPath('volumeMode'), spec.volumeMode, immutable))
  if (old.nodeAffinity && !isSameAffinity(spec.nodeAffinity, old.nodeAffinity))
    errors.push(field.invalid(fieldPath('nodeAffinity'), shownAffinity(spec.nodeAffinity), immutable))
  if (old.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined)
    errors.push(
      field.forbidden(specPath.child('volumeAttributesClassName'), 'update from non-nil value to nil is forbidden'),
    )
  return errors
}

/** The source for the comparison. The secret for expansion may be added later. */
function sourceOf(spec: PersistentVolumeSpec, old: PersistentVolumeSpec): object {
  const {
    capacity: _capacity,
    accessModes: _accessModes,
    claimRef: _claimRef,
    persistentVolumeReclaimPolicy: _policy,
    storageClassName: _class,
    mountOptions: _options,
    volumeMode: _mode,
    nodeAffinity: _affinity,
    volumeAttributesClassName: _attributes,
    ...source
  } = spec
  if (!source.csi || !old.csi || old.csi.controllerExpandSecretRef) return source
  const { controllerExpandSecretRef: _secret, ...csi } = source.csi
  return { ...source, csi }
}

const newerLabels: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
}

/** Compares affinities. Deprecated node labels may be replaced with their new names. */
function isSameAffinity(affinity: VolumeNodeAffinity | undefined, old: VolumeNodeAffinity): boolean {
  return isSame(affinity, old) || isSame(affinity, withNewerLabels(old))
}

function withNewerLabels({ required }: VolumeNodeAffinity): VolumeNodeAffinity {
  if (!required?.nodeSelectorTerms) return {}
  const nodeSelectorTerms = required.nodeSelectorTerms.map((term) => ({
    ...term,
    ...(term.matchExpressions && {
      matchExpressions: term.matchExpressions.map((one) => ({ ...one, key: newerLabels[one.key] ?? one.key })),
    }),
  }))
  return { required: { nodeSelectorTerms } }
}

/** An affinity in the form of upstream's messages. */
function shownAffinity(affinity: VolumeNodeAffinity | undefined): object | null {
  if (!affinity) return null
  const terms = affinity.required?.nodeSelectorTerms?.map(({ matchExpressions, matchFields }) => ({
    MatchExpressions: shownRequirements(matchExpressions),
    MatchFields: shownRequirements(matchFields),
  }))
  return { Required: terms ? { NodeSelectorTerms: terms } : null }
}

function shownRequirements(requirements: readonly NodeSelectorRequirement[] | undefined): readonly object[] | null {
  return (
    requirements?.map(({ key, operator, values }) => ({ Key: key, Operator: operator, Values: values ?? null })) ?? null
  )
}
