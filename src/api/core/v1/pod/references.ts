import { FieldPath } from '../../../../schema/field-path.js'
import type { Pod } from '../pod.js'
import type { Volume } from '../volume.js'
import { visitContainers } from './containers.js'

/** The names of all secrets that a pod refers to. */
export function podSecretNames({ spec }: Pod): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { name } of spec.imagePullSecrets ?? []) if (name) names.add(name)
  visitContainers(spec, FieldPath.none, ({ env = [], envFrom = [] }) => {
    for (const { valueFrom } of env) if (valueFrom?.secretKeyRef?.name) names.add(valueFrom.secretKeyRef.name)
    for (const { secretRef } of envFrom) if (secretRef?.name) names.add(secretRef.name)
  })
  for (const volume of spec.volumes ?? []) for (const name of volumeSecretNames(volume)) names.add(name)
  return names
}

/** The three fields in which volume drivers refer to a secret. */
interface SecretBearer {
  readonly secretName?: string
  readonly secretRef?: { readonly name?: string } | null
  readonly nodePublishSecretRef?: { readonly name?: string }
}

function* volumeSecretNames(volume: Volume): Iterable<string> {
  for (const { secret } of volume.projected?.sources ?? []) if (secret?.name) yield secret.name
  for (const source of Object.values(volume)) {
    if (typeof source !== 'object') continue
    const { secretName, secretRef, nodePublishSecretRef } = source as SecretBearer
    for (const name of [secretName, secretRef?.name, nodePublishSecretRef?.name]) if (name) yield name
  }
}

/** The names of all config maps that a pod refers to. */
export function podConfigMapNames({ spec }: Pod): ReadonlySet<string> {
  const names = new Set<string>()
  const add = (name: string | undefined) => {
    if (name) names.add(name)
  }
  visitContainers(spec, FieldPath.none, ({ env = [], envFrom = [] }) => {
    for (const { valueFrom } of env) add(valueFrom?.configMapKeyRef?.name)
    for (const { configMapRef } of envFrom) add(configMapRef?.name)
  })
  for (const { configMap, projected } of spec.volumes ?? []) {
    add(configMap?.name)
    for (const source of projected?.sources ?? []) add(source.configMap?.name)
  }
  return names
}
