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
import { ClusterRoleBinding } from './cluster-role-binding.js'

const scope: BindingScope = { namespaced: false, kinds: ['ClusterRole'] }

export const clusterRoleBindingDefaults = declareDefaults<ClusterRoleBinding>(ClusterRoleBinding, setRoleRefDefaults)

export const clusterRoleBindingTable = declareTable<ClusterRoleBinding>(ClusterRoleBinding, bindingCells)

export const clusterRoleBindingStrategy = declareStrategy<ClusterRoleBinding>(ClusterRoleBinding, {
  name: pathSegmentName,
  createdByUpdate: true,
  validate: (binding) => validateBinding(binding, scope),
  validateUpdate: (binding, old) => validateBindingUpdate(binding, old, scope),
})
