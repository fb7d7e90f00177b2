import type { Container } from '../../../api/core/v1/container.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import type { ServiceAccount } from '../../../api/core/v1/service-account.js'
import { quote } from '../../../schema/quote.js'
import type { AdmissionRequest } from '../admission.js'
import { rejection } from '../rejection.js'

/** Whether the pods of an account may use only the secrets that the account lists. */
export function isLimitedToListedSecrets({ metadata: { annotations = {} } }: ServiceAccount): boolean {
  const value = annotations['kubernetes.io/enforce-mountable-secrets'] ?? ''
  return ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(value)
}

/** Rejects the first reference to a secret that the account does not list. */
export function checkSecretReferences(request: AdmissionRequest, { spec }: Pod, account: ServiceAccount): void {
  const mountable = new Set((account.secrets ?? []).map(({ name }) => name))
  const because = `is not allowed because service account ${account.metadata.name} does not reference that`
  const use = (what: string, name = '') => {
    if (!mountable.has(name)) throw rejection(request, `${what}${quote(name)} ${because} secret`)
  }
  for (const { secret } of spec.volumes ?? []) if (secret) use('volume with secret.secretName=', secret.secretName)
  for (const container of spec.initContainers ?? []) checkContainer('init container', container, use)
  for (const container of spec.containers) checkContainer('container', container, use)
  for (const container of spec.ephemeralContainers ?? []) checkContainer('ephemeral container', container, use)
  const pulled = new Set((account.imagePullSecrets ?? []).map(({ name }) => name))
  for (const [i, { name = '' }] of (spec.imagePullSecrets ?? []).entries())
    if (!pulled.has(name))
      throw rejection(request, `imagePullSecrets[${i}].name=${quote(name)} ${because} imagePullSecret`)
}

function checkContainer(
  title: string,
  { name, env = [], envFrom = [] }: Container,
  use: (what: string, name?: string) => void,
): void {
  for (const { name: variable, valueFrom } of env)
    if (valueFrom?.secretKeyRef)
      use(`${title} ${name} with envVar ${variable} referencing secret.secretName=`, valueFrom.secretKeyRef.name)
  for (const { secretRef } of envFrom)
    if (secretRef) use(`${title} ${name} with envFrom referencing secret.secretName=`, secretRef.name)
}
