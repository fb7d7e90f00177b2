import { declareTable } from '../../../../schema/schema.js'
import { type ComponentCondition, ComponentStatus } from '../component-status.js'

export const componentStatusTable = declareTable<ComponentStatus>(ComponentStatus, {
  Status: (component) => {
    const condition = health(component)
    return condition ? (condition.status === 'True' ? 'Healthy' : 'Unhealthy') : 'Unknown'
  },
  Message: (component) => health(component)?.message ?? '',
  Error: (component) => health(component)?.error ?? '',
})

function health({ conditions = [] }: ComponentStatus): ComponentCondition | undefined {
  return conditions.find(({ type }) => type === 'Healthy')
}
