import { ApiError, hasReason } from '../../api/errors.js'
import { describeResource } from '../../client/discovery/resource-name.js'
import type { JsonObject } from '../../schema/declaration.js'
import { objectIn, stringIn } from '../../schema/json-value.js'
import { quote } from '../../schema/quote.js'
import { throwAll } from '../command-errors.js'
import type { Factory } from '../factory/factory.js'
import type { Query } from '../factory/request.js'
import { isNotFound, type Rest } from '../factory/rest.js'
import { isListObject, itemsOf, metadataOf, type ResourceObject, resourcePath } from './resource-object.js'
import { type ResourceSelection, type Selected, type SelectionTarget, select } from './selection.js'

/** The result of one request of a selection: an object, or the pages of a list. */
export interface Fetched extends SelectionTarget {
  readonly answers: readonly JsonObject[]
}

/** The default size of a page. */
export const defaultChunkSize = 500

/** Fetches everything that was selected. Throws errors at the end, after the other requests. */
export async function fetchSelected(
  factory: Factory,
  selection: ResourceSelection,
): Promise<{ readonly selected: Selected; readonly fetched: readonly Fetched[]; readonly errors: readonly unknown[] }> {
  const selected = await select(factory, selection)
  const rest = await factory.rest()
  const fetched: Fetched[] = []
  const errors: unknown[] = [...selected.errors]
  for (const target of selected.targets)
    try {
      const answers = target.name === '' ? await listed(rest, target, selection) : [await one(rest, target, selection)]
      fetched.push({ ...target, answers })
    } catch (error) {
      if (!(selection.ignoreNotFound && isNotFound(error))) errors.push(error)
    }
  return { selected, fetched, errors }
}

function one(
  rest: Rest,
  { resource, namespace, name }: SelectionTarget,
  selection: ResourceSelection,
): Promise<JsonObject> {
  const { subresource = '', accept, query } = selection
  return rest.json<JsonObject>({ path: resourcePath(resource, namespace, name, subresource), accept, query })
}

/** Adds the resource to the error of a failed list request. */
async function listed(
  rest: Rest,
  target: SelectionTarget,
  selection: ResourceSelection,
): Promise<readonly JsonObject[]> {
  try {
    return await pages(rest, target, selection)
  } catch (error) {
    if (!hasReason(error, 'BadRequest') && !isNotFound(error)) throw error
    throw new ApiError({ ...error.status(), message: `${lookedFor(target, selection)}: ${error.message}` })
  }
}

function lookedFor(
  { resource }: SelectionTarget,
  { selector = '', 'field-selector': fields = '' }: ResourceSelection,
): string {
  const what = quote(describeResource({ ...resource, name: resource.plural }))
  if (selector === '' && fields === '') return `Unable to list ${what}`
  return `Unable to find ${what} that match label selector ${quote(selector)}, field selector ${quote(fields)}`
}

async function pages(
  rest: Rest,
  target: SelectionTarget,
  selection: ResourceSelection,
): Promise<readonly JsonObject[]> {
  const { chunkSize = defaultChunkSize, accept } = selection
  const path = resourcePath(target.resource, target.namespace)
  const found: JsonObject[] = []
  let token = ''
  do {
    const query = { ...listQuery(selection), limit: chunkSize || undefined, continue: token || undefined }
    const page = await rest.json<JsonObject>({ path, accept, query })
    found.push(page)
    token = stringIn(objectIn(page, 'metadata'), 'continue')
  } while (token !== '')
  return found
}

export function listQuery({ selector = '', 'field-selector': fields = '', query }: ResourceSelection): Query {
  return { ...query, labelSelector: selector || undefined, fieldSelector: fields || undefined }
}

/** Fetches every selected object. Throws if one cannot be fetched. */
export async function fetchObjects(factory: Factory, selection: ResourceSelection): Promise<readonly ResourceObject[]> {
  const { infos, errors } = await fetchWhatCanBeHad(factory, selection)
  throwAll(errors)
  return infos
}

export async function fetchWhatCanBeHad(
  factory: Factory,
  selection: ResourceSelection,
): Promise<{
  readonly infos: readonly ResourceObject[]
  readonly errors: readonly unknown[]
  readonly isSingle: boolean
}> {
  const { fetched, errors, selected } = await fetchSelected(factory, selection)
  return { infos: fetched.flatMap(infosOf), errors, isSingle: selected.isSingle }
}

function infosOf({ resource, answers, namespace }: Fetched): readonly ResourceObject[] {
  return answers
    .flatMap((answer) => (isListObject(answer) ? itemsOf(answer) : [answer]))
    .map((object) => {
      const { name = '', namespace: own = namespace } = metadataOf(object)
      return { resource, namespace: resource.namespaced ? own : '', name, object, source: '' }
    })
}
