import { type FieldRequirement, FieldSelector } from '../../api/selectors/field-selector.js'
import type { Requirement } from '../../api/selectors/label-requirement.js'
import { LabelSelector } from '../../api/selectors/label-selector.js'
import { ValueError } from '../../schema/value-error.js'
import type { RequestContext } from '../request/request-context.js'
import type { AuthorizationAttributes } from './authorizer.js'

const collectionVerbs: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection'])

/** What a request wants to do. */
export function authorizationAttributes({ info, user, request }: RequestContext): AuthorizationAttributes {
  const { isResource, verb, path, group, version, resource, subresource, namespace, name } = info
  const attributes = { user, verb, isResource, path, group, version, resource, subresource, namespace, name }
  return isResource && name === '' && collectionVerbs.has(verb) ? selected(attributes, request.query) : attributes
}

/** The same about the part of a collection that the request asks for. */
function selected(attributes: AuthorizationAttributes, query: URLSearchParams): AuthorizationAttributes {
  const fieldSelector = fieldRequirements(query.get('fieldSelector'))
  const labelSelector = labelRequirements(query.get('labelSelector'))
  if (!fieldSelector && !labelSelector) return attributes
  return {
    ...attributes,
    ...(fieldSelector && { fieldSelector }),
    ...(labelSelector && { labelSelector }),
    name: attributes.verb === 'deletecollection' ? '' : selectedName(fieldSelector ?? []),
  }
}

/** A list of one object by its name is about that object, so that somebody who may see only this one may watch it. */
function selectedName(requirements: readonly FieldRequirement[]): string {
  const name = requirements.find(({ field, operator }) => field === 'metadata.name' && operator === '=')?.value ?? ''
  return isPathSegment(name) ? name : ''
}

function isPathSegment(name: string): boolean {
  return name !== '.' && name !== '..' && !/[/%]/.test(name)
}

function fieldRequirements(text: string | null): readonly FieldRequirement[] | undefined {
  return text ? understood(() => FieldSelector.parse(text).requirements) : undefined
}

function labelRequirements(text: string | null): readonly Requirement[] | undefined {
  return text ? understood(() => LabelSelector.parse(text).requirements) : undefined
}

/** What cannot be understood narrows nothing; the verb says so, to those who may know. */
function understood<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof ValueError) return undefined
    throw error
  }
}
