import type { Pod } from '../../../api/core/v1/pod.js'
import type { ServiceAccount } from '../../../api/core/v1/service-account.js'
import type { Environment } from '../../../base/environment.js'
import { quote } from '../../../schema/quote.js'
import type { AdmissionPlugin, AdmissionRequest } from '../admission.js'
import type { ObjectLookup, ObjectLookups } from '../lookup.js'
import { rejection } from '../rejection.js'
import { isMirrorPod, isNewPod, isPod, podOf } from '../requests.js'
import { checkMirrorPod } from './mirror-pod.js'
import { checkSecretReferences, isLimitedToItsSecrets } from './secret-references.js'
import { mountToken } from './token-volume.js'

const defaultAccount = 'default'

/** Every namespace gets its default account moments after it was made: who is faster waits. */
const lookAgain = { times: 10, milliseconds: 150 }

/** Every pod acts as some service account, whose token it finds in its containers. */
export function serviceAccount(lookups: ObjectLookups, environment: Environment): AdmissionPlugin {
  const accounts = lookups.of<ServiceAccount>('', 'v1', 'serviceaccounts')
  return {
    name: 'ServiceAccount',
    handles: (request) => isNewPod(request) || isDebugging(request),
    mutate(request) {
      if (isDebugging(request) || isMirrorPod(podOf(request))) return
      const { spec } = podOf(request)
      spec.serviceAccountName ||= defaultAccount
      spec.serviceAccount = spec.serviceAccountName
      const account = accounts.get(spec.serviceAccountName, request.namespace)
      return account ? actAs(request, account, environment) : actAsLateAccount(request, accounts, environment)
    },
    validate: (request) => check(request, accounts),
  }
}

function isDebugging(request: AdmissionRequest): boolean {
  return request.operation === 'UPDATE' && isPod(request, 'ephemeralcontainers')
}

async function actAsLateAccount(
  request: AdmissionRequest,
  accounts: ObjectLookup<ServiceAccount>,
  environment: Environment,
): Promise<void> {
  const { serviceAccountName: name = '' } = podOf(request).spec
  const times = name === defaultAccount ? lookAgain.times : 1
  for (let attempt = 1; attempt <= times; attempt++) {
    if (attempt > 1) await pause(environment)
    const account = await accounts.find(name, request.namespace)
    if (account) return actAs(request, account, environment)
  }
  throw missingAccount(request, name)
}

function pause({ clock }: Environment): Promise<void> {
  return new Promise((resolve) => void clock.timer(lookAgain.milliseconds, resolve))
}

function missingAccount(request: AdmissionRequest, name: string): Error {
  const where = `${request.namespace}/${name}`
  return rejection(request, `error looking up service account ${where}: serviceaccount ${quote(name)} not found`)
}

function actAs(request: AdmissionRequest, account: ServiceAccount, { random }: Environment): void {
  const { spec } = podOf(request)
  if (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true) mountToken(spec, random)
  const { imagePullSecrets = [] } = account
  if (!spec.imagePullSecrets?.length && imagePullSecrets.length > 0)
    spec.imagePullSecrets = imagePullSecrets.map((secret) => ({ ...secret }))
}

function check(request: AdmissionRequest, accounts: ObjectLookup<ServiceAccount>): void {
  const pod = podOf(request)
  if (isDebugging(request)) checkSecrets(request, accounts)
  else if (isMirrorPod(pod)) checkMirrorPod(request, pod as Pod)
  else checkAccount(request, accounts)
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

/** Containers for debugging see no more secrets than the others. */
function checkSecrets(request: AdmissionRequest, accounts: ObjectLookup<ServiceAccount>): void {
  const pod = podOf(request)
  const { serviceAccountName: name = '' } = pod.spec
  const account = accounts.get(name, request.namespace)
  if (!account) throw missingAccount(request, name)
  if (isLimitedToItsSecrets(account)) checkSecretReferences(request, pod as Pod, account)
}
