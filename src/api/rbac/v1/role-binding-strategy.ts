import { declareDefaults, declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { pathSegmentName } from '../../metadata/name-validation.js'
import {
  type BindingScope,
  bindingCells,
  setRoleRefDefaults,
  validateBinding,
  validateBindingUpdate,
} from './binding-validation.js'
import { RoleBinding } from './role-binding.js'

const scope: BindingScope = { namespaced: true, kinds: ['Role', 'ClusterRole'] }

export const roleBindingDefaults = declareDefaults<RoleBinding>(RoleBinding, setRoleRefDefaults)

export const roleBindingTable = declareTable<RoleBinding>(RoleBinding, bindingCells)

export const roleBindingStrategy = declareStrategy<RoleBinding>(RoleBinding, {
  name: pathSegmentName,
  createdByUpdate: true,
  validate: (binding) => validateBinding(binding, scope),
  validateUpdate: (binding, old) => validateBindingUpdate(binding, old, scope),
})
