import { hasReason } from '../../api/errors.js'
import { sleep } from '../../base/clock.js'
import type { JsonObject } from '../../schema/declaration.js'
import { diffMergePatchThreeWay } from '../../schema/patch/merge-patch.js'
import { diffStrategicPatchThreeWay } from '../../schema/patch/strategic-three-way.js'
import {
  fieldValidationOf,
  lastApplied,
  lastAppliedAnnotation,
  withChangeCause,
  withLastApplied,
} from '../changes/change-flags.js'
import { PatchTypes } from '../changes/patch-types.js'
import { ContextError } from '../command-errors.js'
import { isNotFound, type Rest } from '../factory/rest.js'
import { type DryRun, dryRunQuery } from '../printers/result.js'
import { objectPath, type ResourceObject, resourcePath } from '../resources/resource-object.js'
import { withFileContext } from '../resources/selection.js'
import type { ApplyContext } from './flags.js'

interface Applied {
  readonly object: JsonObject
  readonly operation: string
}

/** Attempts to patch an object that another client changes at the same time. */
const mostAttempts = 5
const betweenAttempts = 1000

/** Compares the last applied, the wanted and the live object, and sends the difference as a patch. */
export class ClientSideApply {
  readonly #call: ApplyContext
  readonly #dryRun: DryRun
  #types: PatchTypes | undefined

  constructor(call: ApplyContext, dryRun: DryRun) {
    this.#call = call
    this.#dryRun = dryRun
  }

  async apply(info: ResourceObject): Promise<Applied> {
    const rest = await this.#call.factory.rest()
    const noted = this.#call.flags.record ? withChangeCause(this.#call, info.object) : info.object
    const modified = withLastApplied(noted)
    const current = await this.#current(rest, info)
    if (!current) return { object: await this.#create(rest, info, modified), operation: 'created' }
    if (this.#dryRun === 'client') return { object: current, operation: 'configured' }
    await this.#warnIfNotApplied(info, current)
    try {
      return await this.#patched(rest, info, { modified, current })
    } catch (error) {
      if (!this.#mayReplace(error)) throw this.#explained(info, error)
      return this.#replace(rest, info, modified)
    }
  }

  async #current(rest: Rest, info: ResourceObject): Promise<JsonObject | undefined> {
    try {
      return await rest.json<JsonObject>({ path: objectPath(info) })
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw new ContextError(
        `error when retrieving current configuration of:\n${describe(info)}\nfrom server for: "${info.source}"`,
        error,
      )
    }
  }

  async #create(rest: Rest, info: ResourceObject, object: JsonObject): Promise<JsonObject> {
    if (this.#dryRun === 'client') return object
    const path = resourcePath(info.resource, info.namespace)
    return rest
      .json<JsonObject>({ method: 'POST', path, query: this.#query(), body: object })
      .catch((error: unknown) => {
        throw withFileContext('creating', info, error)
      })
  }

  async #warnIfNotApplied({ resource, name }: ResourceObject, current: JsonObject): Promise<void> {
    if (lastApplied(current)) return
    const what = `resource ${resource.plural}/${name} is missing the ${lastAppliedAnnotation} annotation which is required by kubectl apply.`
    const why =
      'kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or kubectl apply. The missing annotation will be patched automatically.'
    await this.#call.err(`Warning: ${what} ${why}\n`)
  }

  async #patched(
    rest: Rest,
    info: ResourceObject,
    states: { readonly modified: JsonObject; readonly current: JsonObject },
  ): Promise<Applied> {
    let { current } = states
    for (let attempt = 1; ; attempt++) {
      const { patch, contentType } = await this.#patch(info, { ...states, current })
      if (Object.keys(patch).length === 0) return { object: current, operation: 'unchanged' }
      try {
        const request = { method: 'PATCH', path: objectPath(info), query: this.#query(), body: patch, contentType }
        return { object: await rest.json<JsonObject>(request), operation: 'configured' }
      } catch (error) {
        if (!hasReason(error, 'Conflict') || attempt === mostAttempts) throw error
        await sleep(this.#call.factory.environment.clock, betweenAttempts)
        current = await rest.json<JsonObject>({ path: objectPath(info) })
      }
    }
  }

  async #patch(
    info: ResourceObject,
    { modified, current }: { readonly modified: JsonObject; readonly current: JsonObject },
  ) {
    const original = lastApplied(current) ?? {}
    const { overwrite } = this.#call.flags
    const type = await this.#typesOf(await this.#call.factory.rest()).typeOf(info)
    if (!type)
      return {
        patch: diffMergePatchThreeWay(original, modified, current),
        contentType: 'application/merge-patch+json',
      }
    return {
      patch: diffStrategicPatchThreeWay(type, { original, modified, current }, { overwrite }),
      contentType: 'application/strategic-merge-patch+json',
    }
  }

  #typesOf(rest: Rest): PatchTypes {
    this.#types ??= new PatchTypes(rest)
    return this.#types
  }

  #mayReplace(error: unknown): boolean {
    return this.#call.flags.force && (hasReason(error, 'Conflict') || hasReason(error, 'Invalid'))
  }

  /** Deletes the object, waits until it is gone, and creates it again. */
  async #replace(rest: Rest, info: ResourceObject, object: JsonObject): Promise<Applied> {
    const { deleteAndWait } = await import('../wait/deletion.js')
    await deleteAndWait(this.#call.factory, info, { grace: this.#call.flags['grace-period'] })
    const path = resourcePath(info.resource, info.namespace)
    return {
      object: await rest.json<JsonObject>({ method: 'POST', path, query: this.#query(), body: object }),
      operation: 'configured',
    }
  }

  #explained(info: ResourceObject, error: unknown): unknown {
    if (hasReason(error, 'Invalid')) return error
    return new ContextError(
      `error when applying patch:\nto:\n${describe(info)}\nfor: "${info.source}": error when patching "${info.source}"`,
      error,
    )
  }

  #query() {
    return {
      ...dryRunQuery(this.#dryRun),
      fieldManager: this.#call.flags['field-manager'],
      fieldValidation: fieldValidationOf(this.#call.flags),
    }
  }
}

function describe({ resource, name, namespace }: ResourceObject): string {
  const { group, version, plural, kind } = resource
  const type = `Resource: "${group}/${version}, Resource=${plural}", GroupVersionKind: "${group}/${version}, Kind=${kind}"`
  return `${type}\nName: "${name}", Namespace: "${namespace}"`
}
