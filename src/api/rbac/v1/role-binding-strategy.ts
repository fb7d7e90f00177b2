import { declareDefaults, declareTable } from '../../../schema/schema.js'
import { declareStrategy, type RegistryStrategy } from '../../../schema/strategy.js'
import { pathSegmentName } from '../../metadata/name-validation.js'
import {
  type BindingScope,
  bindingCells,
  setRoleRefDefaults,
  validateBinding,
  validateBindingUpdate,
} from './binding-validation.js'
import { ClusterRoleBinding } from './cluster-role-binding.js'
import { RoleBinding } from './role-binding.js'

type Binding = RoleBinding | ClusterRoleBinding

function bindingStrategy(scope: BindingScope): RegistryStrategy<Binding> {
  return {
    name: pathSegmentName,
    createdByUpdate: true,
    validate: (binding) => validateBinding(binding, scope),
    validateUpdate: (binding, old) => validateBindingUpdate(binding, old, scope),
  }
}

export const roleBindingDefaults = declareDefaults<Binding>(RoleBinding, setRoleRefDefaults)
export const roleBindingTable = declareTable<Binding>(RoleBinding, bindingCells)
export const roleBindingStrategy = declareStrategy<Binding>(
  RoleBinding,
  bindingStrategy({ namespaced: true, kinds: ['Role', 'ClusterRole'] }),
)

export const clusterRoleBindingDefaults = declareDefaults<Binding>(ClusterRoleBinding, setRoleRefDefaults)
export const clusterRoleBindingTable = declareTable<Binding>(ClusterRoleBinding, bindingCells)
export const clusterRoleBindingStrategy = declareStrategy<Binding>(
  ClusterRoleBinding,
  bindingStrategy({ namespaced: false, kinds: ['ClusterRole'] }),
)
