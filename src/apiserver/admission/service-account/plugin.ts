import { podSecretNames } from '../../../api/core/v1/pod/references.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import type { ServiceAccount } from '../../../api/core/v1/service-account.js'
import type { Environment } from '../../../base/environment.js'
import { quote } from '../../../schema/quote.js'
import type { AdmissionRequest } from '../admission.js'
import { defineAdmissionPlugin } from '../definition.js'
import type { ObjectLookup } from '../lookup.js'
import { rejection } from '../rejection.js'
import { hasMirrorAnnotation, isNewPod, isPod, podOf } from '../request.js'
import { checkSecretReferences, isLimitedToListedSecrets } from './secret-references.js'
import { mountToken } from './token-volume.js'

const defaultAccount = 'default'

/** A controller creates the default account shortly after the namespace. Pods that are created earlier wait for it. */
const retry = { attempts: 10, milliseconds: 150 }

/** Gives every pod a service account, and mounts the account's token into its containers. */
export const serviceAccount = defineAdmissionPlugin({
  name: 'ServiceAccount',
  position: 80,
  isDefault: true,
  create({ lookups, environment }) {
    const accounts = lookups.of<ServiceAccount>('', 'v1', 'serviceaccounts')
    return {
      handles: (request) => isNewPod(request) || isEphemeralContainersUpdate(request),
      mutate(request) {
        if (isEphemeralContainersUpdate(request) || hasMirrorAnnotation(podOf(request))) return
        const { spec } = podOf(request)
        spec.serviceAccountName ||= defaultAccount
        spec.serviceAccount = spec.serviceAccountName
        const account = accounts.get(spec.serviceAccountName, request.namespace)
        return account ? applyAccount(request, account, environment) : applyNewAccount(request, accounts, environment)
      },
      validate: (request) => check(request, accounts),
    }
  },
})

function isEphemeralContainersUpdate(request: AdmissionRequest): boolean {
  return request.operation === 'UPDATE' && isPod(request, 'ephemeralcontainers')
}

/** The account may not be in the watch cache yet, or not exist yet. */
async function applyNewAccount(
  request: AdmissionRequest,
  accounts: ObjectLookup<ServiceAccount>,
  environment: Environment,
): Promise<void> {
  const { serviceAccountName: name = '' } = podOf(request).spec
  const attempts = name === defaultAccount ? retry.attempts : 1
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (attempt > 1) await pause(environment)
    const account = await accounts.find(name, request.namespace)
    if (account) return applyAccount(request, account, environment)
  }
  throw missingAccount(request, name)
}

function pause({ clock }: Environment): Promise<void> {
  return new Promise((resolve) => void clock.timer(retry.milliseconds, resolve))
}

function missingAccount(request: AdmissionRequest, name: string): Error {
  const where = `${request.namespace}/${name}`
  return rejection(request, `error looking up service account ${where}: serviceaccount ${quote(name)} not found`)
}

function applyAccount(request: AdmissionRequest, account: ServiceAccount, { random }: Environment): void {
  const { spec } = podOf(request)
  if (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true) mountToken(spec, random)
  const { imagePullSecrets = [] } = account
  if (!spec.imagePullSecrets?.length && imagePullSecrets.length > 0)
    spec.imagePullSecrets = imagePullSecrets.map((secret) => ({ ...secret }))
}

function check(request: AdmissionRequest, accounts: ObjectLookup<ServiceAccount>): void {
  const pod = podOf(request)
  if (isEphemeralContainersUpdate(request)) checkSecrets(request, accounts)
  else if (hasMirrorAnnotation(pod)) checkMirrorPod(request, pod as Pod)
  else checkAccount(request, accounts)
}

/** A mirror pod must not look as if it had permissions of its own: it only shows what a kubelet runs. */
function checkMirrorPod(request: AdmissionRequest, pod: Pod): void {
  const { serviceAccountName = '', volumes = [] } = pod.spec
  if (serviceAccountName !== '') throw rejection(request, 'a mirror pod may not reference service accounts')
  if (podSecretNames(pod).size > 0) throw rejection(request, 'a mirror pod may not reference secrets')
  for (const { projected } of volumes)
    if (projected?.sources?.some(({ serviceAccountToken }) => serviceAccountToken))
      throw rejection(request, 'a mirror pod may not use ServiceAccountToken volume projections')
}

function checkAccount(request: AdmissionRequest, accounts: ObjectLookup<ServiceAccount>): void {
  const pod = podOf(request)
  const { serviceAccountName: name = '' } = pod.spec
  if (name === '') {
    const { namespace = '', name: podName = '' } = pod.metadata
    throw rejection(request, `no service account specified for pod ${namespace}/${podName}`)
  }
  checkSecrets(request, accounts)
}

/** Ephemeral containers may use no more secrets than the others. */
function checkSecrets(request: AdmissionRequest, accounts: ObjectLookup<ServiceAccount>): void {
  const pod = podOf(request)
  const { serviceAccountName: name = '' } = pod.spec
  const account = accounts.get(name, request.namespace)
  if (!account) throw missingAccount(request, name)
  if (isLimitedToListedSecrets(account)) checkSecretReferences(request, pod as Pod, account)
}
