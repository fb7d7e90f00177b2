import { fieldPath } from '../../../../schema/field-path.js'
import { nodeSelectorTermWarnings } from '../affinity/deprecated-node-labels.js'
import type { PersistentVolume } from '../persistent-volume.js'
import { classAnnotationWarnings } from './storage-validation.js'

/** Types of storage that nothing serves any more, by the names that warnings call them, in the order of the warnings. */
const retired = [
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const

const recycle =
  'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.'

/** What is doubtful about a persistent volume. */
export function persistentVolumeWarnings({ metadata, spec }: PersistentVolume): readonly string[] {
  const warnings = [...classAnnotationWarnings(metadata)]
  if (spec.persistentVolumeReclaimPolicy === 'Recycle') warnings.push(`spec.persistentVolumeReclaimPolicy: ${recycle}`)
  const terms = fieldPath('spec', 'nodeAffinity', 'required', 'nodeSelectorTerms')
  spec.nodeAffinity?.required?.nodeSelectorTerms?.forEach((term, i) => {
    warnings.push(...nodeSelectorTermWarnings(term, terms.index(i)))
  })
  for (const [type, shown, notice] of retired) if (spec[type]) warnings.push(`spec.${shown}: ${notice}`)
  return warnings
}
