import type { JsonObject } from '../declaration.js'
import { objectIn, stringIn } from '../json-value.js'
import { quote } from '../quote.js'
import { compareText } from '../text-order.js'
import { type ElementPath, type FieldSet, paths, printPath } from './field-set/field-set.js'
import { type FieldManager, managerKey } from './managed-fields/managers.js'

/** An invalid apply request. The response is a bad request. */
export class ApplyRequestError extends Error {}

/** The configuration does not fit the type of its kind. The response contains only the message. */
export class ApplyConfigurationError extends Error {}

/** `apps/v1, Kind=Deployment`, as messages name a kind. The core group has no name: `/v1, Kind=Pod`. */
export function kindText(object: JsonObject): string {
  const parts = stringIn(object, 'apiVersion').split('/')
  if (parts.length > 2) return '/, Kind='
  const [group, version] = parts.length === 2 ? parts : ['', parts[0]]
  return `${group}/${version}, Kind=${stringIn(object, 'kind')}`
}

/** `default/web; apps/v1, Kind=Deployment`, as messages name an object. */
export function objectText(object: JsonObject): string {
  const metadata = objectIn(object, 'metadata')
  return `${stringIn(metadata, 'namespace')}/${stringIn(metadata, 'name')}; ${kindText(object)}`
}

/** A field that another manager owns with another value. */
export interface Conflict {
  readonly owner: FieldManager
  readonly path: ElementPath
}

/** A cause in the `Status` of a conflict. */
export interface ConflictCause {
  readonly reason: 'FieldManagerConflict'
  readonly message: string
  readonly field: string
}

/** The configuration sets fields that other managers own to other values. */
export class ApplyConflictError extends Error {
  readonly conflicts: readonly Conflict[]

  constructor(conflicts: readonly Conflict[]) {
    super(conflictMessage(conflicts))
    this.conflicts = conflicts
  }

  get causes(): readonly ConflictCause[] {
    return this.conflicts.map(({ owner, path }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${printManager(owner)}`,
      field: printPath(path),
    }))
  }
}

/** Returns one conflict for each field of each manager. */
export function conflictsOf(contested: ReadonlyMap<FieldManager, FieldSet>): readonly Conflict[] {
  const owners = [...contested].sort(([a], [b]) => compareText(managerKey(a), managerKey(b)))
  return owners.flatMap(([owner, fields]) => [...paths(fields)].map((path) => ({ owner, path })))
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [first, ...others] = conflicts
  if (first && others.length === 0)
    return `Apply failed with 1 conflict: conflict with ${printManager(first.owner)}: ${printPath(first.path)}`
  const lines: string[] = []
  let owner: FieldManager | undefined
  for (const conflict of conflicts) {
    if (conflict.owner !== owner) lines.push(`conflicts with ${printManager(conflict.owner)}:`)
    owner = conflict.owner
    lines.push(`- ${printPath(conflict.path)}`)
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`
}

/** Formats a manager: `"b-scaler" with subresource "scale" using apps/v1`. Updates own fields of one version, so it names the version. */
function printManager({ manager, operation, apiVersion, subresource }: FieldManager): string {
  const within = subresource ? ` with subresource ${quote(subresource)}` : ''
  const version = operation === 'Update' ? ` using ${apiVersion}` : ''
  return `${quote(manager)}${within}${version}`
}
