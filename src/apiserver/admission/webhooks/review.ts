import type { JsonObject } from '../../../schema/declaration.js'
import type { AdmissionRequest } from '../admission.js'
import type { Invocation } from './match.js'
import type { WebhookSubject } from './subject.js'

/** The supported versions of AdmissionReview. */
export type AdmissionReviewVersion = 'v1' | 'v1beta1'

/** Returns the first supported version of a webhook's list. */
export function reviewVersion(versions: readonly string[]): AdmissionReviewVersion | undefined {
  return versions.find((version): version is AdmissionReviewVersion => version === 'v1' || version === 'v1beta1')
}

export interface ReviewParts {
  readonly version: AdmissionReviewVersion
  readonly uid: string
  readonly invocation: Invocation
  readonly subject: WebhookSubject
  readonly object: JsonObject | undefined
  readonly old: JsonObject | undefined
}

/** Returns the review to send. Both versions have the same fields. */
export function admissionReview({ version, uid, invocation, subject, object, old }: ReviewParts): object {
  const { name, namespace, operation, subresource, request } = subject
  return {
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${version}`,
    request: {
      uid,
      kind: inOrder(invocation.kind, 'kind'),
      resource: inOrder(invocation.resource, 'resource'),
      ...(subresource !== '' && { subResource: subresource }),
      requestKind: inOrder(subject.kind, 'kind'),
      requestResource: inOrder(subject.resource, 'resource'),
      ...(subresource !== '' && { requestSubResource: subresource }),
      ...(name !== '' && { name }),
      ...(namespace !== '' && { namespace }),
      operation,
      userInfo: userInfo(request),
      object: object ?? null,
      oldObject: old ?? null,
      dryRun: request.dryRun,
      options: operationOptions(request),
    },
  }
}

function inOrder<K extends string>(
  named: { readonly group: string; readonly version: string } & Record<K, string>,
  key: K,
) {
  return { group: named.group, version: named.version, [key]: named[key] }
}

function userInfo({ user: { name, uid, groups, extra } }: AdmissionRequest): object {
  return {
    ...(name !== '' && { username: name }),
    ...(uid !== '' && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(Object.keys(extra).length > 0 && { extra }),
  }
}

const optionKinds = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' } as const
const apiVersion = 'meta.k8s.io/v1'

/** A patch has the options of an update or a creation. */
function operationOptions({ operation, options, dryRun, context }: AdmissionRequest): object | null {
  if (operation === 'CONNECT') return null
  const kind = optionKinds[operation]
  if (operation === 'DELETE') return { ...options, kind, apiVersion }
  const query = context?.request.query
  const fieldManager = query?.get('fieldManager')
  const fieldValidation = query?.get('fieldValidation')
  return {
    kind,
    apiVersion,
    ...(dryRun && { dryRun: ['All'] }),
    ...(fieldManager && { fieldManager }),
    ...(fieldValidation && { fieldValidation }),
  }
}
