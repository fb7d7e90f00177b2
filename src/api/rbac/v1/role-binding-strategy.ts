import { rules } from '../../../schema/rules.js'
import { strategy } from '../../../schema/strategy.js'
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

export const roleBindingRules = rules<RoleBinding>(RoleBinding, {
  defaults: setRoleRefDefaults,
  cells: bindingCells,
})

export const roleBindingStrategy = strategy<RoleBinding>(RoleBinding, {
  name: pathSegmentName,
  createdByUpdate: true,
  validate: (binding) => validateBinding(binding, scope),
  validateUpdate: (binding, old) => validateBindingUpdate(binding, old, scope),
})
