import type { KubeObject } from '../../api/kube-object.js'
import { setDefaults } from '../../schema/defaults.js'
import type { Draft } from '../../schema/infer.js'
import type { AdmissionRequest } from '../admission/admission.js'
import { admissionRequest } from '../admission/request.js'
import { reportDecoded } from '../request/request-listeners.js'
import { EncodedOnce, type ObjectResponse } from '../response/response.js'
import { readObject } from '../verbs/body.js'
import type { VerbScope } from '../verbs/verb-scope.js'
import { type WriteRequestOptions, writeOptions } from '../verbs/write-options.js'
import { connectionOptions } from './connection-options.js'

/** The object that a client sends to a subresource with a kind of its own. */
export interface SubmittedObject {
  readonly object: Draft<KubeObject>
  readonly options: WriteRequestOptions
}

/** Reads the body as an object of a declared type: `core/v1.Binding`. */
export async function readSubmittedObject({ context, scheme }: VerbScope, typeName: string): Promise<SubmittedObject> {
  const options = writeOptions(context.request, 'CreateOptions')
  const type = scheme.type(typeName)
  const { object, warnings } = await readObject(context.request, { scheme, type, validation: options.fieldValidation })
  for (const warning of warnings) context.warnings.add(warning)
  setDefaults(type, object)
  reportDecoded(context, object)
  return { object: object as Draft<KubeObject>, options }
}

/** Returns the admission request for a submission: it creates something in the object that the path names. */
export function submissionRequest(scope: VerbScope, { object, options }: SubmittedObject): AdmissionRequest {
  return admissionRequest(scope, { operation: 'CREATE', object, options, dryRun: options.dryRun })
}

/** Runs admission for a connection to the object that the path names. */
export async function admitConnection(scope: VerbScope): Promise<void> {
  const object = connectionOptions(scope)
  const options = { kind: '', dryRun: false, manager: '', fieldValidation: 'Ignore' } as const
  await scope.admission.admit(admissionRequest(scope, { operation: 'CONNECT', object, options, dryRun: false }))
}

/** The response for a subresource that returns only a status. */
export function successResponse({ scheme, representation }: VerbScope, code = 201): ObjectResponse {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code }
  const object = new EncodedOnce(status as KubeObject)
  return { is: 'object', code, type: scheme.type('meta/v1.Status'), object, representation }
}
