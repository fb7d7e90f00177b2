import type {
  InitializerConfiguration,
  Rule,
} from '../../../api/admissionregistration/v1alpha1/initializer-configuration.js'
import { internalError, invalid } from '../../../api/errors.js'
import type { KubeObject } from '../../../api/kube-object.js'
import { isEmptyInitializers, isInitialized, validateInitializersUpdate } from '../../../api/metadata/initializers.js'
import { fieldPath } from '../../../schema/field-path.js'
import type { Draft } from '../../../schema/infer.js'
import type { AdmissionPlugin, AdmissionRequest } from '../admission.js'
import type { ObjectLookup, ObjectLookups } from '../lookup.js'
import { rejection } from '../rejection.js'
import { isMirrorPod, isPod, podOf } from '../requests.js'
import type { Authorize } from './owner-references-permission-enforcement.js'

/** New objects wait for those who are to complete them; and only those may touch them as long as they wait. */
export function initializers(lookups: ObjectLookups, authorize: Authorize): AdmissionPlugin {
  const configurations = lookups.of<InitializerConfiguration>(
    'admissionregistration.k8s.io',
    'v1alpha1',
    'initializerconfigurations',
  )
  return {
    name: 'Initializers',
    handles: ({ operation, subresource }) => operation === 'UPDATE' || (operation === 'CREATE' && subresource === ''),
    mutate(request) {
      return request.operation === 'CREATE'
        ? admitNew(request, configurations, authorize)
        : admitUpdate(request, authorize)
    },
  }
}

/** Who may initialize may say who is to complete the object, or that nobody is: by an empty list. */
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
  if (isPod(request) && isMirrorPod(podOf(request))) return
  const names = matchingNames(request, configurations.list())
  if (names.length > 0) metadata.initializers = { pending: names.map((name) => ({ name })) }
}

/** In the order of the configurations' names, then as each lists them; of a name that several list the first place counts. */
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

/** The first of those who are waited for takes its name away; whatever else is written to an incomplete object needs the same right. */
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
