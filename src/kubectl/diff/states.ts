import { join } from 'node:path'
import { hasReason } from '../../api/errors.js'
import type { JsonObject } from '../../schema/declaration.js'
import { objectIn } from '../../schema/json-value.js'
import { diffMergePatchThreeWay } from '../../schema/patch/merge-patch.js'
import { diffStrategicPatchThreeWay } from '../../schema/patch/strategic-three-way.js'
import { lastApplied, lastAppliedAnnotation } from '../changes/change-flags.js'
import { PatchTypes } from '../changes/patch-types.js'
import { isNotFound, type Rest } from '../factory/rest.js'
import { printYaml } from '../printers/yaml/yaml.js'
import {
  metadataOf,
  objectPath,
  type ResourceObject,
  resourcePath,
  withMetadata,
} from '../resources/resource-object.js'
import type { DiffContext } from './flags.js'

/** Attempts to compute the difference of an object that changes meanwhile. */
const mostAttempts = 4

interface States {
  readonly live: JsonObject | undefined
  readonly merged: JsonObject
}

/** Writes objects into two directories: the live objects and the objects after an apply. */
export class DiffStates {
  readonly #call: DiffContext
  readonly #folders: { readonly live: string; readonly merged: string }
  #types: PatchTypes | undefined

  constructor(call: DiffContext, folders: { readonly live: string; readonly merged: string }) {
    this.#call = call
    this.#folders = folders
  }

  async write(info: ResourceObject): Promise<void> {
    const { err, factory, flags } = this.#call
    const rest = await factory.rest()
    const found = await this.#states(rest, info)
    const { live, merged } = info.resource.kind === 'Secret' && info.resource.group === '' ? masked(found) : found
    const { files } = factory.environment.host
    const shown = (object: JsonObject) =>
      printYaml(flags['show-managed-fields'] ? object : withMetadata(object, { managedFields: undefined }))
    const name = fileName(info)
    await files.replace(join(this.#folders.live, name), live === null ? 'null\n' : live ? shown(live) : '')
    await files.replace(join(this.#folders.merged, name), shown(merged))
    if (found.live && metadataOf(found.live).deletionTimestamp !== undefined)
      await err(`Warning: Detected changes to resource ${info.name} which is currently being deleted.\n`)
  }

  async #states(rest: Rest, info: ResourceObject): Promise<States> {
    for (let attempt = 1; ; attempt++) {
      const live = await current(rest, info)
      try {
        return { live, merged: await this.#merged(rest, info, { live, isLocked: attempt < mostAttempts }) }
      } catch (error) {
        if (!hasReason(error, 'Conflict') || this.#call.flags['server-side'] || attempt === mostAttempts) throw error
      }
    }
  }

  async #merged(
    rest: Rest,
    info: ResourceObject,
    { live, isLocked }: { readonly live: JsonObject | undefined; readonly isLocked: boolean },
  ): Promise<JsonObject> {
    const { flags, isSet } = this.#call
    const fieldManager = flags['field-manager']
    const query = { dryRun: 'All', fieldManager }
    if (flags['server-side']) {
      const manager = isSet('field-manager') ? fieldManager : 'kubectl'
      const own = { ...query, fieldManager: manager, force: flags['force-conflicts'] }
      return rest.json<JsonObject>({ ...patchOf(info, 'apply-patch+yaml'), query: own, body: info.object })
    }
    if (!live)
      return rest.json<JsonObject>({
        method: 'POST',
        path: resourcePath(info.resource, info.namespace),
        query,
        body: info.object,
      })
    const { patch, contentType } = await this.#patch(rest, info, live)
    if (Object.keys(patch).length === 0) return live
    const body = isLocked ? withMetadata(patch, { resourceVersion: metadataOf(live).resourceVersion }) : patch
    return rest.json<JsonObject>({ ...patchOf(info, contentType), query, body })
  }

  /** The patch that `apply` would send, without the annotation of the last applied configuration. */
  async #patch(rest: Rest, info: ResourceObject, live: JsonObject) {
    const { [lastAppliedAnnotation]: _, ...annotations } = metadataOf(info.object).annotations ?? {}
    const modified = withMetadata(info.object, { annotations })
    const original = lastApplied(live) ?? {}
    this.#types ??= new PatchTypes(rest)
    const type = await this.#types.typeOf(info)
    if (!type) return { patch: diffMergePatchThreeWay(original, modified, live), contentType: 'merge-patch+json' }
    const patch = diffStrategicPatchThreeWay(type, { original, modified, current: live }, { overwrite: true })
    return { patch, contentType: 'strategic-merge-patch+json' }
  }
}

function patchOf(info: ResourceObject, type: string) {
  return { method: 'PATCH', path: objectPath(info), contentType: `application/${type}` }
}

async function current(rest: Rest, info: ResourceObject): Promise<JsonObject | undefined> {
  try {
    return await rest.json<JsonObject>({ path: objectPath(info) })
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** `apps.v1.Deployment.default.web` */
function fileName({ resource: { group, version, kind }, namespace, name }: ResourceObject): string {
  return [...(group === '' ? [] : [group]), version, kind, namespace, name].join('.')
}

interface MaskedStates {
  /** Null for a missing object, because upstream writes null. */
  readonly live: JsonObject | null
  readonly merged: JsonObject
}

/** Masks the values of secrets. Changed values stay recognizable as changed. */
function masked({ live, merged }: States): MaskedStates {
  const before = (live && objectIn(live, 'data')) ?? {}
  const after = objectIn(merged, 'data') ?? {}
  const mask = (data: JsonObject, other: JsonObject, word: string) =>
    Object.fromEntries(
      Object.keys(data).map((key) => {
        const isChanged = Object.hasOwn(other, key) && other[key] !== data[key]
        return [key, isChanged ? `*** (${word})` : '***']
      }),
    )
  const withData = (object: JsonObject, data: JsonObject) => (objectIn(object, 'data') ? { ...object, data } : object)
  return {
    live: live ? withData(live, mask(before, after, 'before')) : null,
    merged: withData(merged, mask(after, before, 'after')),
  }
}
