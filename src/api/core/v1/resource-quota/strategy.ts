import { memberOf } from '../../../../schema/json-value.js'
import { rules } from '../../../../schema/rules.js'
import { strategy } from '../../../../schema/strategy.js'
import { compareText } from '../../../../schema/text-order.js'
import { ResourceQuota, ResourceQuotaSpec, ResourceQuotaStatus } from '../resource-quota.js'
import { roundResources } from '../resource-requirements/defaults.js'
import { validateResourceQuota, validateResourceQuotaStatus, validateResourceQuotaUpdate } from './validation.js'

export const resourceQuotaSpecRules = rules<ResourceQuotaSpec>(ResourceQuotaSpec, {
  defaults({ hard }) {
    roundResources(hard)
  },
})

export const resourceQuotaStatusRules = rules<ResourceQuotaStatus>(ResourceQuotaStatus, {
  defaults({ hard, used }) {
    roundResources(hard)
    roundResources(used)
  },
})

export const resourceQuotaRules = rules<ResourceQuota>(ResourceQuota, {
  cells: {
    Request: (quota) => usage(quota, (name) => !name.startsWith('limits.')),
    Limit: (quota) => usage(quota, (name) => name.startsWith('limits.')),
  },
})

function usage({ status: { hard = {}, used = {} } }: ResourceQuota, isShown: (name: string) => boolean): string {
  const names = Object.keys(hard).filter(isShown).sort(compareText)
  return names.map((name) => `${name}: ${memberOf(used, name) ?? 0}/${hard[name]}`).join(', ')
}

export const resourceQuotaStrategy = strategy<ResourceQuota>(ResourceQuota, {
  validate: validateResourceQuota,
  validateUpdate: validateResourceQuotaUpdate,
  subresources: { status: { validateUpdate: validateResourceQuotaStatus } },
})
