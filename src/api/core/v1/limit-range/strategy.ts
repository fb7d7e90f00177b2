import { declareDefaults, declareTable } from '../../../../schema/schema.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { LimitRange, LimitRangeItem } from '../limit-range.js'
import { roundResources } from '../resource-requirements/defaults.js'
import { validateLimitRange } from './validation.js'

/** What containers get by default is what they may have at most; what they ask for by default is what they get. */
export const limitRangeItemDefaults = declareDefaults<LimitRangeItem>(LimitRangeItem, (item) => {
  for (const part of ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const)
    roundResources(item[part])
  if (item.type !== 'Container') return
  const limits = { ...item.max, ...item.default }
  const requests = { ...item.min, ...limits, ...item.defaultRequest }
  if (Object.keys(limits).length > 0) item.default = limits
  if (Object.keys(requests).length > 0) item.defaultRequest = requests
})

export const limitRangeTable = declareTable<LimitRange>(LimitRange, {
  'Created At': ({ metadata }) => metadata.creationTimestamp ?? '',
})

export const limitRangeStrategy = declareStrategy<LimitRange>(LimitRange, {
  validate: validateLimitRange,
  createdByUpdate: true,
})
