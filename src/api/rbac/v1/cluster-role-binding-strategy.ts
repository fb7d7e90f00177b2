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
import { ClusterRoleBinding } from './cluster-role-binding.js'

const scope: BindingScope = { namespaced: false, kinds: ['ClusterRole'] }

export const clusterRoleBindingRules = rules<ClusterRoleBinding>(ClusterRoleBinding, {
  defaults: setRoleRefDefaults,
  cells: bindingCells,
})

export const clusterRoleBindingStrategy = strategy<ClusterRoleBinding>(ClusterRoleBinding, {
  name: pathSegmentName,
  createdByUpdate: true,
  validate: (binding) => validateBinding(binding, scope),
  validateUpdate: (binding, old) => validateBindingUpdate(binding, old, scope),
})
