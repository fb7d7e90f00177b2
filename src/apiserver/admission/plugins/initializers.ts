import type {
  InitializerConfiguration,
  Rule,
} from '../../../api/admissionregistration/v1alpha1/initializer-configuration.js'
import { internalError, invalid } from '../../../api/errors.js'
import type { KubeObject } from '../../../api/kube-object.js'
import { isEmptyInitializers, isInitialized, validateInitializersUpdate } from '../../../api/metadata/initializers.js'
import { fieldPath } from '../../../schema/field-path.js'
import type { Draft } from '../../../schema/infer.js'
import type { Authorize } from '../../authorization/authorizer.js'
import type { AdmissionRequest } from '../admission.js'
import { defineAdmissionPlugin } from '../definition.js'
import type { ObjectLookup } from '../lookup.js'
import { rejection } from '../rejection.js'
import { hasMirrorAnnotation, isPod, podOf } from '../request.js'

/**
 * Adds the pending initializers to new objects. Until these have removed their names, only users with the verb `initialize` may update
 * the object.
 */
export const initializers = defineAdmissionPlugin({
  name: 'Initializers',
  position: 370,
  gate: 'Initializers',
  create({ lookups, authorize }) {
    const configurations = lookups.of<InitializerConfiguration>(
      'admissionregistration.k8s.io',
      'v1alpha1',
      'initializerconfigurations',
    )
    return {
      handles: ({ operation, subresource }) => operation === 'UPDATE' || (operation === 'CREATE' && subresource === ''),
      mutate(request) {
        return request.operation === 'CREATE'
          ? admitNew(request, configurations, authorize)
          : admitUpdate(request, authorize)
      },
    }
  },
})

/** A client with the verb `initialize` may choose the initializers itself; an empty list means none. */
async function admitNew(
  request: AdmissionRequest,
  configurations: ObjectLookup<InitializerConfiguration>,
  authorize: Authorize,
): Promise<void> {
  const { metadata } = request.object!
  if (metadata.initializers) {
    await checkMayInitialize(request, authorize, 'create with initializers denied')
    if (isEmptyInitializers(metadata.initializers)) delete metadata.initializers
    return
  }
  if (isPod(request) && hasMirrorAnnotation(podOf(request))) return
  const names = matchingNames(request, configurations.list())
  if (names.length > 0) metadata.initializers = { pending: names.map((name) => ({ name })) }
}

/** Returns names in the order of the configurations' names, then as each lists them. A name that occurs twice keeps its first position. */
function matchingNames({ resource }: AdmissionRequest, configurations: readonly InitializerConfiguration[]): string[] {
  const { group, version, resource: served } = resource.type.kind
  const matches = ({ apiGroups = [], apiVersions = [], resources = [] }: Rule) =>
    includes(apiGroups, group) && includes(apiVersions, version) && includes(resources, served.plural)
  const all = configurations.flatMap(({ initializers = [] }) => initializers)
  return [...new Set(all.filter(({ rules = [] }) => rules.some(matches)).map(({ name }) => name))]
}

function includes(wanted: readonly string[], value: string): boolean {
  return wanted.includes('*') || wanted.includes(value)
}

/** Each initializer removes its own name, in order. Every other write to an uninitialized object needs the same permission. */
async function admitUpdate(request: AdmissionRequest, authorize: Authorize): Promise<void> {
  const { object, old } = request as { readonly object: Draft<KubeObject>; readonly old: KubeObject }
  if (isEmptyInitializers(object.metadata.initializers)) delete object.metadata.initializers
  if (isInitialized(object) && isInitialized(old)) return
  const path = fieldPath('metadata').child('initializers')
  const errors = validateInitializersUpdate(object.metadata.initializers, old.metadata.initializers, path)
  const { group, kind } = request.resource.stored.kind
  if (errors.length > 0) throw invalid({ group, kind }, request.name, errors)
  await checkMayInitialize(request, authorize, 'update to uninitialized resource denied')
}

async function checkMayInitialize(request: AdmissionRequest, authorize: Authorize, denied: string): Promise<void> {
  const { user, namespace, name, resource } = request
  const { group, version } = resource.type.kind
  const { decision, reason, error } = await authorize({
    user,
    verb: 'initialize',
    isResource: true,
    path: '',
    group,
    version,
    resource: resource.groupResource.resource,
    subresource: '',
    namespace,
    name,
  })
  if (decision === 'allow') return
  if (error !== undefined) throw internalError(error)
  throw rejection(request, `${denied}: ${reason}`)
}
