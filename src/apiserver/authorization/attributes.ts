import { type FieldRequirement, FieldSelector } from '../../api/selectors/field-selector.js'
import type { Requirement } from '../../api/selectors/label-requirement.js'
import { LabelSelector } from '../../api/selectors/label-selector.js'
import { ValueError } from '../../schema/value-error.js'
import type { RequestContext } from '../request/request-context.js'
import type { AuthorizationAttributes } from './authorizer.js'

const collectionVerbs: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection'])

/** Returns the attributes of a request for the authorizers. */
export function authorizationAttributes({ info, user, request }: RequestContext): AuthorizationAttributes {
  const { isResource, verb, path, group, version, resource, subresource, namespace, name } = info
  const attributes = { user, verb, isResource, path, group, version, resource, subresource, namespace, name }
  return isResource && name === '' && collectionVerbs.has(verb) ? selected(attributes, request.query) : attributes
}

/** Adds the selectors of a request for a collection. */
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

/** A list or watch of one object by its name counts as a request for that object. */
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

/** An invalid selector is ignored here; the verb reports it, to clients that pass authorization. */
function understood<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof ValueError) return undefined
    throw error
  }
}
