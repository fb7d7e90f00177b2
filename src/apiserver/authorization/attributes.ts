import { FieldSelector } from '../../api/selectors/field-selector.js'
import { ValueError } from '../../schema/value-error.js'
import type { Exchange } from '../exchange.js'
import type { Attributes } from './authorizer.js'

/** What a request wants to do. */
export function attributesOf({ info, user, request }: Exchange): Attributes {
  const { isResource, verb, path, group, version, resource, subresource, namespace } = info
  const name = info.name === '' && (verb === 'list' || verb === 'watch') ? selectedName(request.query) : info.name
  return { user, verb, isResource, path, group, version, resource, subresource, namespace, name }
}

/** A list of one object by its name is about that object, so that somebody who may see only this one may watch it. */
function selectedName(query: URLSearchParams): string {
  const selector = query.get('fieldSelector')
  if (selector === null || selector === '') return ''
  try {
    const name = FieldSelector.parse(selector).exactValue('metadata.name') ?? ''
    return isPathSegment(name) ? name : ''
  } catch (error) {
    if (error instanceof ValueError) return '' // the verb says so, to those who may know
    throw error
  }
}

function isPathSegment(name: string): boolean {
  return name !== '.' && name !== '..' && !/[/%]/.test(name)
}
