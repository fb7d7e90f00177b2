import type { ResourceAttributes } from '../../api/authorization/v1/attributes.js'
import type { ReviewedAttributes } from '../../api/authorization/v1/review-validation.js'
import type { FieldSelectorRequirement, LabelSelectorRequirement } from '../../api/meta/v1/label-selector.js'
import { type FieldRequirement, FieldSelector } from '../../api/selectors/field-selector.js'
import type { Requirement } from '../../api/selectors/label-requirement.js'
import { LabelSelector } from '../../api/selectors/label-selector.js'
import { ValueError } from '../../schema/value-error.js'
import type { RequestUser } from '../request/user.js'
import type { AuthorizationAttributes } from './authorizer.js'

/** The attributes of a review, and errors in its selectors. */
export interface ReviewedRequest {
  readonly attributes: AuthorizationAttributes
  readonly faults: readonly string[]
}

/** The valid part of a selector. Without the invalid part, the review is about more objects. */
interface ReadSelector<T> {
  readonly requirements: readonly T[]
  readonly isWhole: boolean
}

export function reviewedRequest(user: RequestUser, spec: ReviewedAttributes): ReviewedRequest {
  const { resourceAttributes, nonResourceAttributes } = spec
  if (resourceAttributes) return resourceQuestion(user, resourceAttributes)
  const { path = '', verb = '' } = nonResourceAttributes ?? {}
  return { attributes: { ...nowhere, user, isResource: false, path, verb }, faults: [] }
}

const nowhere = { path: '', group: '', version: '', resource: '', subresource: '', namespace: '', name: '' }

function resourceQuestion(user: RequestUser, given: ResourceAttributes): ReviewedRequest {
  const { verb = '', group = '', resource = '', subresource = '', namespace = '', name = '' } = given
  const fields = fieldsOf(given.fieldSelector)
  const labels = labelsOf(given.labelSelector)
  return {
    attributes: {
      ...nowhere,
      user,
      isResource: true,
      verb,
      group,
      version: given.version || '*',
      resource,
      subresource,
      namespace,
      name,
      ...(fields && fields.requirements.length > 0 && { fieldSelector: fields.requirements }),
      ...(labels && labels.requirements.length > 0 && { labelSelector: labels.requirements }),
    },
    faults: [...faultOf('fieldSelector', fields), ...faultOf('labelSelector', labels)],
  }
}

function faultOf(selector: string, narrowing: ReadSelector<unknown> | undefined): readonly string[] {
  if (!narrowing || narrowing.isWhole) return []
  const how = narrowing.requirements.length > 0 ? 'partially ignored' : 'ignored'
  return [`spec.resourceAttributes.${selector} ${how} due to parse error`]
}

function fieldsOf(selector: ResourceAttributes['fieldSelector']): ReadSelector<FieldRequirement> | undefined {
  if (!selector) return undefined
  const { rawSelector, requirements = [] } = selector
  if (requirements.length > 0) return eachOf(requirements, fieldRequirement)
  return eachOf([rawSelector ?? ''], (text) => FieldSelector.parse(text).requirements)
}

/** Field selectors support one value only. */
function fieldRequirement({ key, operator, values = [] }: FieldSelectorRequirement): readonly FieldRequirement[] {
  const [value, ...more] = values
  if (value === undefined || more.length > 0 || (operator !== 'In' && operator !== 'NotIn'))
    throw new ValueError(`fields cannot be selected by ${operator} and ${values.length} values`)
  return [{ field: key, operator: operator === 'In' ? '=' : '!=', value }]
}

function labelsOf(selector: ResourceAttributes['labelSelector']): ReadSelector<Requirement> | undefined {
  if (!selector) return undefined
  const { rawSelector, requirements = [] } = selector
  if (requirements.length > 0) return eachOf(requirements, labelRequirement)
  return eachOf([rawSelector ?? ''], (text) => LabelSelector.parse(text).requirements)
}

function labelRequirement(expression: LabelSelectorRequirement): readonly Requirement[] {
  return LabelSelector.from({ matchExpressions: [expression] }).requirements
}

/** Reads all valid entries, and collects the errors of the others. */
function eachOf<Given, Read>(given: readonly Given[], read: (one: Given) => readonly Read[]): ReadSelector<Read> {
  const requirements: Read[] = []
  let isWhole = true
  for (const one of given) {
    try {
      requirements.push(...read(one))
    } catch (error) {
      if (!(error instanceof ValueError)) throw error
      isWhole = false
    }
  }
  return { requirements, isWhole }
}
