import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KindHarness } from '../../../testing/objects/kind-harness.js'

const roleBindings = new KindHarness('rbac/v1.RoleBinding')
const clusterRoleBindings = new KindHarness('rbac/v1.ClusterRoleBinding')
const group = 'rbac.authorization.k8s.io'
const alice = { kind: 'User', name: 'alice' }

describe('bindings', () => {
  it('are completed with the group of roles, of users and of groups', () => {
    const { object, errors } = roleBindings.create({
      roleRef: { kind: 'Role', name: 'reader' },
      subjects: [alice, { kind: 'Group', name: 'dev' }, { kind: 'ServiceAccount', name: 'robot' }],
    })
    assert.deepEqual(errors, [])
    assert.deepEqual(object.roleRef, { apiGroup: group, kind: 'Role', name: 'reader' })
    assert.deepEqual(object.subjects, [
      { kind: 'User', apiGroup: group, name: 'alice' },
      { kind: 'Group', apiGroup: group, name: 'dev' },
      { kind: 'ServiceAccount', name: 'robot' },
    ])
  })

  it('bind roles to those who can have them', () => {
    const { errors } = roleBindings.create({
      roleRef: { apiGroup: 'apps', kind: 'Deployment', name: 'a/b' },
      subjects: [
        { kind: 'Robot', name: 'r2' },
        { kind: 'User', name: '' },
        { kind: 'Group', name: 'g', apiGroup: 'v1' },
        { kind: 'ServiceAccount', name: 's', apiGroup: 'v1' },
      ],
    })
    assert.deepEqual(errors, [
      `roleRef.apiGroup: Unsupported value: "apps": supported values: "${group}"`,
      'roleRef.kind: Unsupported value: "Deployment": supported values: "Role", "ClusterRole"',
      `roleRef.name: Invalid value: "a/b": may not contain '/'`,
      'subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
      'subjects[1].name: Required value',
      `subjects[2].apiGroup: Unsupported value: "v1": supported values: "${group}"`,
      'subjects[3].apiGroup: Unsupported value: "v1": supported values: ""',
    ])
  })

  it('of the whole cluster bind cluster roles, and say where a service account is', () => {
    const { errors } = clusterRoleBindings.create({
      roleRef: { kind: 'Role', name: 'reader' },
      subjects: [{ kind: 'ServiceAccount', name: 'robot' }],
    })
    assert.deepEqual(errors, [
      'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
      'subjects[0].namespace: Required value',
    ])
  })

  it('keep their role for ever, and may get other subjects', () => {
    const old = roleBindings.create({ roleRef: { kind: 'Role', name: 'reader' }, subjects: [alice] })
    assert.deepEqual(roleBindings.update(old, { subjects: null }).errors, [])
    assert.deepEqual(roleBindings.update(old, { roleRef: { name: 'writer' } }).errors, [
      `roleRef: Invalid value: {"APIGroup":"${group}","Kind":"Role","Name":"writer"}: cannot change roleRef`,
    ])
  })

  it('show whom they bind to what', () => {
    const binding = clusterRoleBindings.create({
      roleRef: { kind: 'ClusterRole', name: 'view' },
      subjects: [alice, { kind: 'User', name: 'bob' }, { kind: 'ServiceAccount', name: 'robot', namespace: 'ops' }],
    })
    const { Role, Users, Groups, ServiceAccounts } = clusterRoleBindings.row(binding)
    assert.deepEqual([Role, Users, Groups, ServiceAccounts], ['ClusterRole/view', 'alice, bob', '', 'ops/robot'])
  })
})
