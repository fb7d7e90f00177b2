import { labelSelectorText } from '../../api/selectors/label-selector.js'
import type { JsonObject } from '../../schema/declaration.js'
import { objectIn } from '../../schema/json-value.js'
import { changeCause } from '../changes/change-flags.js'
import type { Factory } from '../factory/factory.js'
import { itemsOf, metadataOf, type ResourceObject, resourceName, resourcePath } from '../resources/resource-object.js'

/** An earlier state of a workload. */
export interface Revision {
  readonly number: number
  readonly cause: string
  /** Its pod template at that time. */
  readonly template: JsonObject
  /** The replica set or controller revision that stores it. */
  readonly source: JsonObject
}

const revisionAnnotation = 'deployment.kubernetes.io/revision'

/** Returns all stored revisions, oldest first. */
export async function revisionsOf(factory: Factory, info: ResourceObject): Promise<readonly Revision[]> {
  const name = resourceName(info.resource)
  if (name === 'deployments.apps') return byNumber(await keepers(factory, info, 'ReplicaSet'), ofReplicaSet)
  if (name === 'daemonsets.apps' || name === 'statefulsets.apps')
    return byNumber(await keepers(factory, info, 'ControllerRevision'), ofControllerRevision)
  throw new Error(
    `no history viewer has been implemented for "${info.resource.kind}.${info.resource.group}"`.replace('."', '"'),
  )
}

function byNumber(keepers: readonly JsonObject[], read: (keeper: JsonObject) => Revision): readonly Revision[] {
  return keepers
    .map(read)
    .filter(({ number }) => number > 0)
    .sort((left, right) => left.number - right.number)
}

async function keepers(
  factory: Factory,
  { object, namespace }: ResourceObject,
  kind: string,
): Promise<readonly JsonObject[]> {
  const resource = await (await factory.mapper()).kind({ group: 'apps', version: 'v1', kind })
  const selector = objectIn(objectIn(object, 'spec') ?? {}, 'selector')
  const query = { labelSelector: labelSelectorText(selector as never) }
  const list = await (await factory.rest()).json<JsonObject>({ path: resourcePath(resource, namespace), query })
  const { uid } = metadataOf(object)
  return itemsOf(list).filter((each) =>
    metadataOf(each).ownerReferences?.some((owner) => owner.controller === true && owner.uid === uid),
  )
}

function ofReplicaSet(keeper: JsonObject): Revision {
  const { annotations = {} } = metadataOf(keeper)
  const template = objectIn(objectIn(keeper, 'spec') ?? {}, 'template') ?? {}
  return {
    number: Number(annotations[revisionAnnotation] ?? 0),
    cause: annotations[changeCause] ?? '',
    template,
    source: keeper,
  }
}

function ofControllerRevision(keeper: JsonObject): Revision {
  const spec = objectIn(objectIn(keeper, 'data') ?? {}, 'spec') ?? {}
  const cause = metadataOf(keeper).annotations?.[changeCause] ?? ''
  return { number: Number(keeper.revision ?? 0), cause, template: objectIn(spec, 'template') ?? {}, source: keeper }
}

export function withoutTemplateHash(template: JsonObject): JsonObject {
  const metadata = objectIn(template, 'metadata') ?? {}
  const { 'pod-template-hash': _, ...labels } = (objectIn(metadata, 'labels') ?? {}) as Readonly<Record<string, string>>
  return { ...template, metadata: { ...metadata, labels } }
}
