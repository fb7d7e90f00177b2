import { memberOf } from '../../../../schema/json-value.js'
import { declareDefaults, declareTable } from '../../../../schema/schema.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { compareText } from '../../../../schema/text-order.js'
import { ResourceQuota, ResourceQuotaSpec, ResourceQuotaStatus } from '../resource-quota.js'
import { roundResources } from '../resource-requirements/defaults.js'
import { validateResourceQuota, validateResourceQuotaStatus, validateResourceQuotaUpdate } from './validation.js'

export const resourceQuotaSpecDefaults = declareDefaults<ResourceQuotaSpec>(ResourceQuotaSpec, ({ hard }) => {
  roundResources(hard)
})

export const resourceQuotaStatusDefaults = declareDefaults<ResourceQuotaStatus>(
  ResourceQuotaStatus,
  ({ hard, used }) => {
    roundResources(hard)
    roundResources(used)
  },
)

export const resourceQuotaTable = declareTable<ResourceQuota>(ResourceQuota, {
  Request: (quota) => usage(quota, (name) => !name.startsWith('limits.')),
  Limit: (quota) => usage(quota, (name) => name.startsWith('limits.')),
})

function usage({ status: { hard = {}, used = {} } }: ResourceQuota, isShown: (name: string) => boolean): string {
  const names = Object.keys(hard).filter(isShown).sort(compareText)
  return names.map((name) => `${name}: ${memberOf(used, name) ?? 0}/${hard[name]}`).join(', ')
}

export const resourceQuotaStrategy = declareStrategy<ResourceQuota>(ResourceQuota, {
  validate: validateResourceQuota,
  validateUpdate: validateResourceQuotaUpdate,
  subresources: { status: { validateUpdate: validateResourceQuotaStatus } },
})
