import type { FieldRequirement } from '../../../api/selectors/field-selector.js'
import type { Operator, Requirement } from '../../../api/selectors/label-requirement.js'
import type { AuthorizationAttributes } from '../authorizer.js'

/** The versions of SubjectAccessReview that webhooks support. */
export type SubjectAccessReviewVersion = 'v1' | 'v1beta1'

/** Returns the spec of a SubjectAccessReview. The older version has another name for the groups. */
export function reviewSpec(attributes: AuthorizationAttributes, version: SubjectAccessReviewVersion): object {
  const { user, isResource, path, verb } = attributes
  const { name, groups, uid, extra } = user
  return {
    ...(isResource
      ? { resourceAttributes: resourceOf(attributes) }
      : { nonResourceAttributes: filled({ path, verb }) }),
    ...filled({ user: name }),
    ...(groups.length > 0 && { [version === 'v1' ? 'groups' : 'group']: groups }),
    ...(Object.keys(extra).length > 0 && { extra }),
    ...filled({ uid }),
  }
}

function resourceOf(attributes: AuthorizationAttributes): object {
  const { namespace, verb, group, version, resource, subresource, name, fieldSelector, labelSelector } = attributes
  const fields = (fieldSelector ?? []).map(fieldOf)
  const labels = (labelSelector ?? []).flatMap(labelOf)
  return {
    ...filled({ namespace, verb, group, version, resource, subresource, name }),
    ...(fields.length > 0 && { fieldSelector: { requirements: fields } }),
    ...(labels.length > 0 && { labelSelector: { requirements: labels } }),
  }
}

function filled(texts: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))
}

function fieldOf({ field, operator, value }: FieldRequirement): object {
  return { key: field, operator: operator === '=' ? 'In' : 'NotIn', values: [value] }
}

const operators: Readonly<Partial<Record<Operator, string>>> = {
  in: 'In',
  '=': 'In',
  '==': 'In',
  notin: 'NotIn',
  '!=': 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
}

/** Omits requirements that reviews cannot express: the review is then about more objects, which is safe. */
function labelOf({ key, operator, values }: Requirement): readonly object[] {
  const told = operators[operator]
  return told === undefined ? [] : [{ key, operator: told, ...(values.length > 0 && { values }) }]
}
