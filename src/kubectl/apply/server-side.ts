import { ApiError, hasReason } from '../../api/errors.js'
import type { JsonObject } from '../../schema/declaration.js'
import { fieldValidationOf, lastAppliedAnnotation, withChangeCause } from '../changes/change-flags.js'
import { PlainMessageError } from '../command-errors.js'
import type { Rest } from '../factory/rest.js'
import { type DryRun, dryRunQuery } from '../printers/result.js'
import { metadataOf, objectPath, type ResourceObject } from '../resources/resource-object.js'
import type { ApplyContext } from './flags.js'
import { migratedManagers, owns } from './managed-fields.js'

interface Applied {
  readonly object: JsonObject
  readonly operation: string
}

const clientSideManager = 'kubectl-client-side-apply'
const annotationManager = 'kubectl-last-applied'
const applyType = 'application/apply-patch+yaml'
const mostAttempts = 5

const conflictHelp = `Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the \`--force-conflicts\` flag.
* If you do not intend to manage all of the fields, please edit your
  manifest to remove references to the fields that should keep their
  current managers.
* You may co-own fields by updating your manifest to match the existing
  value; in this case, you'll become the manager if the other manager(s)
  stop managing the field (remove it from their configuration).
See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts`

/** Sends the wanted object and lets the server merge it. Moves fields of an earlier client-side apply to the server-side manager. */
export class ServerSideApply {
  readonly #call: ApplyContext
  readonly #dryRun: DryRun

  constructor(call: ApplyContext, dryRun: DryRun) {
    this.#call = call
    this.#dryRun = dryRun
  }

  get #manager(): string {
    return this.#call.isSet('field-manager') ? this.#call.flags['field-manager'] : 'kubectl'
  }

  async apply(info: ResourceObject): Promise<Applied> {
    const rest = await this.#call.factory.rest()
    const body = this.#call.flags.record ? withChangeCause(this.#call, info.object) : info.object
    try {
      const first = await this.#send(rest, info, body)
      const kept = await this.#keepAnnotation(rest, info, first)
      const isMigrated = await this.#migrate(rest, info, kept)
      const object = isMigrated ? await this.#send(rest, info, body) : first
      return { object, operation: 'serverside-applied' }
    } catch (error) {
      throw this.#explained(error)
    }
  }

  #send(rest: Rest, info: ResourceObject, body: JsonObject): Promise<JsonObject> {
    const query = {
      ...dryRunQuery(this.#dryRun),
      fieldManager: this.#manager,
      fieldValidation: fieldValidationOf(this.#call.flags),
      force: this.#call.flags['force-conflicts'],
    }
    return rest.json<JsonObject>({ method: 'PATCH', path: objectPath(info), query, body, contentType: applyType })
  }

  /** Keeps the annotation of the last applied configuration up to date, for users who return to client-side apply. */
  async #keepAnnotation(rest: Rest, info: ResourceObject, object: JsonObject): Promise<JsonObject> {
    const { annotations, managedFields = [], name } = metadataOf(object)
    const applied = annotations?.[lastAppliedAnnotation]
    const isKept = managedFields.some((entry) => entry.operation === 'Apply' && owns(entry, lastAppliedAnnotation))
    if (this.#manager !== 'kubectl' || applied === undefined || isKept) return object
    const { apiVersion, kind } = object
    const metadata = { name, annotations: { [lastAppliedAnnotation]: applied } }
    const query = { ...dryRunQuery(this.#dryRun), fieldManager: annotationManager }
    const body = {
      apiVersion,
      kind,
      metadata: info.namespace === '' ? metadata : { ...metadata, namespace: info.namespace },
    }
    return rest.json<JsonObject>({ method: 'PATCH', path: objectPath(info), query, body, contentType: applyType })
  }

  /** Returns whether managers were migrated. If so, a second apply removes the fields that the files no longer have. */
  async #migrate(rest: Rest, info: ResourceObject, first: JsonObject): Promise<boolean> {
    let object = first
    for (let attempt = 1; attempt <= mostAttempts; attempt++) {
      const { managedFields = [], resourceVersion } = metadataOf(object)
      const migrated = migratedManagers(managedFields, {
        from: clientSideManager,
        annotation: lastAppliedAnnotation,
        to: this.#manager,
      })
      if (!migrated) return false
      const body = [
        { op: 'replace', path: '/metadata/managedFields', value: migrated },
        { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
      ]
      const query = { ...dryRunQuery(this.#dryRun), fieldManager: this.#manager }
      try {
        await rest.json({
          method: 'PATCH',
          path: objectPath(info),
          query,
          body,
          contentType: 'application/json-patch+json',
        })
        return true
      } catch (error) {
        if (!hasReason(error, 'Conflict')) throw error
        object = await rest.json<JsonObject>({ path: objectPath(info) })
      }
    }
    return false
  }

  #explained(error: unknown): unknown {
    if (!(error instanceof ApiError) || !hasReason(error, 'Conflict')) return error
    return new PlainMessageError(`${error.message}\n${conflictHelp}`)
  }
}
