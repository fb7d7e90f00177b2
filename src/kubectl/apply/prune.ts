import type { JsonObject } from '../../schema/declaration.js'
import { lastApplied } from '../changes/change-flags.js'
import type { Factory } from '../factory/factory.js'
import { type DryRun, resultPrinter } from '../printers/result.js'
import { itemsOf, metadataOf, objectPath, type ResourceObject, resourcePath } from '../resources/resource-object.js'
import type { ApplyContext } from './flags.js'

/** The default types: those that people usually write by hand. */
const usualTypes = [
  'core/v1/ConfigMap',
  'core/v1/Endpoints',
  'core/v1/Namespace',
  'core/v1/PersistentVolumeClaim',
  'core/v1/PersistentVolume',
  'core/v1/Pod',
  'core/v1/ReplicationController',
  'core/v1/Secret',
  'core/v1/Service',
  'batch/v1/Job',
  'batch/v1/CronJob',
  'networking.k8s.io/v1/Ingress',
  'apps/v1/DaemonSet',
  'apps/v1/Deployment',
  'apps/v1/ReplicaSet',
  'apps/v1/StatefulSet',
]

/** Deletes objects that were applied before, match the labels, and are not among those applied now. */
export async function prune(call: ApplyContext, applied: readonly ResourceObject[], dryRun: DryRun): Promise<void> {
  const { flags, factory } = call
  const printer = await resultPrinter(call, flags, dryRun)
  const kept = new Set(applied.map(({ resource, namespace, name }) => resourcePath(resource, namespace, name)))
  const namespaces = new Set(applied.map(({ namespace }) => namespace).filter((name) => name !== ''))
  const types = flags['prune-allowlist'].length > 0 ? flags['prune-allowlist'] : usualTypes
  const mapper = await factory.mapper()
  for (const type of types) {
    const resource = await mapper.kind(kindOf(type))
    for (const namespace of resource.namespaced ? namespaces : [''])
      for (const info of await leftOver(call, { resource, namespace }, kept)) {
        await remove(factory, info, dryRun)
        await printer.print(info.object, 'pruned')
      }
  }
}

async function leftOver(
  { flags, factory }: ApplyContext,
  { resource, namespace }: Pick<ResourceObject, 'resource' | 'namespace'>,
  kept: ReadonlySet<string>,
): Promise<readonly ResourceObject[]> {
  const query = { labelSelector: flags.selector || undefined }
  const list = await (await factory.rest()).json<JsonObject>({ path: resourcePath(resource, namespace), query })
  return itemsOf(list)
    .filter((object) => lastApplied(object) !== undefined)
    .map((object) => ({ resource, namespace, name: metadataOf(object).name ?? '', object, source: '' }))
    .filter((info) => !kept.has(objectPath(info)))
}

async function remove(factory: Factory, info: ResourceObject, dryRun: DryRun): Promise<void> {
  if (dryRun === 'client') return
  const dry = dryRun === 'server' && { dryRun: ['All'] }
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background', ...dry }
  await (await factory.rest()).json({ method: 'DELETE', path: objectPath(info), body })
}

function kindOf(type: string): { readonly group: string; readonly version: string; readonly kind: string } {
  const [group = '', version = '', kind = ''] = type.split('/')
  if (kind === '') throw new Error(`invalid GroupVersionKind format: ${type}, please follow <group/version/kind>`)
  return { group: group === 'core' ? '' : group, version, kind }
}
