import { openEnumeration, type Values } from '../../../schema/fields.js'

export const ConditionStatus = openEnumeration('core/v1.ConditionStatus', ['True', 'False', 'Unknown'])
export type ConditionStatus = Values<typeof ConditionStatus>
