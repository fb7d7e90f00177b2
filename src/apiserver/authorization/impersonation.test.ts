import { deepStrictEqual as deepEqual, strictEqual as equal, match } from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sendRaw, whoAmI } from '../../testing/servers/whoami.js'
import { clusterBinding, clusterRole, type Gate, rule, startGate } from './authorization.test.kit.js'

const rbac = '/apis/rbac.authorization.k8s.io/v1'
const authentication = 'authentication.k8s.io'

describe('Acting as somebody else', () => {
  let gate: Gate
  before(async () => {
    const tokens = ['deputy-token,deputy,d', 'narrow-token,narrow,n', 'plain-token,plain,p', 'agent-token,agent,a']
    gate = await startGate({ tokens })
    const grant = async (name: string, ...rules: readonly object[]) => {
      equal((await gate.ask('POST', `${rbac}/clusterroles`, clusterRole(name, ...rules))).status, 201)
      const bound = clusterBinding(name, name, `User ${name}`)
      equal((await gate.ask('POST', `${rbac}/clusterrolebindings`, bound)).status, 201)
    }
    await grant(
      'deputy',
      rule('impersonate', 'users', '', ['boss']),
      rule('impersonate', 'groups', '', ['dev', 'a, b']),
    )
    await grant(
      'narrow',
      rule('impersonate-on:user-info:list', 'pods'),
      rule('impersonate:user-info', 'users', authentication, ['boss']),
      rule('impersonate:user-info', 'groups', authentication),
      rule('impersonate:user-info', 'userextras/example.com/team', authentication),
    )
    await grant(
      'agent',
      rule('impersonate-on:arbitrary-node:get', 'nodes'),
      rule('impersonate:arbitrary-node', 'nodes', authentication, ['worker']),
      rule('impersonate-on:serviceaccount:list', 'configmaps'),
      rule('impersonate:serviceaccount', 'serviceaccounts', authentication),
    )
  })
  after(() => gate.close())

  const admin = () => ['authorization', `Bearer ${gate.server.token}`]
  const identity = (...headers: readonly string[]) => whoAmI(gate.server, { headers: [...admin(), ...headers] })
  const by = (name: string, path: string, ...headers: readonly string[]) =>
    gate.ask('GET', path, undefined, ['authorization', `Bearer ${name}-token`, ...headers])

  it('takes every group as it was sent, commas and all', async () => {
    const groupsOf = async (...headers: readonly string[]) => {
      const found = await identity('Impersonate-User', 'jane', ...headers)
      return typeof found === 'number' ? found : found.groups
    }
    deepEqual(await groupsOf('Impersonate-Group', 'a, b'), ['a, b', 'system:authenticated'])
    deepEqual(await groupsOf('Impersonate-Group', 'a', 'impersonate-group', 'b'), ['a', 'b', 'system:authenticated'])
    deepEqual(await groupsOf('IMPERSONATE-GROUP', 'système'), ['système', 'system:authenticated'])
    deepEqual(await groupsOf('Impersonate_Group', 'system:masters'), ['system:authenticated'])
    equal(await groupsOf('Impersonate-Group', 'system:unauthenticated'), 403) // who is in this one is in no other
  })

  it('takes the first of several users, and keys of extra fields in lower case', async () => {
    const found = await identity(
      'Impersonate-User',
      'jane',
      'impersonate-user',
      'john',
      'Impersonate-Extra-Example.com%2FTeam',
      'blue',
      'impersonate-extra-example.com%2fteam',
      'red',
      'Impersonate-Extra-__proto__',
      'x',
      'Impersonate-Extra-bad%zz',
      'y',
    )
    deepEqual(found, {
      username: 'jane',
      groups: ['system:authenticated'],
      extra: { ['__proto__']: ['x'], 'bad%zz': ['y'], 'example.com/team': ['blue', 'red'] },
    })
  })

  it('needs a user', async () => {
    const refused = await gate.ask('GET', '/api', undefined, ['Impersonate-Group', 'dev'])
    deepEqual(
      [refused.status, refused.message],
      [
        400,
        'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"dev"}, Extra:map[string][]string(nil)} without impersonating a user name',
      ],
    )
    equal((await gate.ask('GET', '/api', undefined, ['Impersonate-User', ''])).status, 200)
  })

  it('is rejected to those who may not, before anything else is', async () => {
    const pods = '/api/v1/namespaces/default/pods'
    const { status, message } = await by('plain', pods, 'Impersonate-User', 'boss')
    equal(status, 403)
    match(message, /User "plain" cannot impersonate-on:user-info:list resource "pods" in API group "" in the namespace/)
    match((await by('plain', '/version', 'Impersonate-User', 'x')).message, /cannot impersonate-on:user-info:get path/)
    match(
      (await by('plain', pods, 'Impersonate-User', 'system:node:n')).message,
      /cannot impersonate-on:arbitrary-node:list/,
    )
    match(
      (await by('plain', pods, 'Impersonate-User', 'system:serviceaccount:a:b')).message,
      /cannot impersonate-on:serviceaccount:list/,
    )
    const anonymous = ['Impersonate-User', 'admin', 'Impersonate-Group', 'system:masters']
    equal((await sendRaw(gate.server, { path: pods, headers: anonymous })).status, 403)
  })

  it('is allowed for the users and groups that are named, and for no others', async () => {
    const as = (...headers: readonly string[]) => by('deputy', '/version', 'Impersonate-User', 'boss', ...headers)
    equal((await as()).status, 200)
    equal((await as('Impersonate-Group', 'dev')).status, 200)
    equal((await as('Impersonate-Group', 'a, b')).status, 200)
    equal((await as('Impersonate-Group', 'a', 'Impersonate-Group', 'b')).status, 403)
    const escalated = await as('Impersonate-Group', 'dev', 'Impersonate-Group', 'system:masters')
    equal(
      escalated.message,
      'groups "system:masters" is forbidden: User "deputy" cannot impersonate resource "groups" in API group "" at the cluster scope',
    )
    match((await as('Impersonate-Uid', '7')).message, /cannot impersonate resource "uids" in API group "authentication/)
    match((await as('Impersonate-Extra-scopes', 'all')).message, /resource "userextras\/scopes"/)
    match((await by('deputy', '/version', 'Impersonate-User', 'admin')).message, /users "admin" is forbidden/)
  })

  it('can be allowed for some requests only, and never as one who may everything', async () => {
    const as = (path: string, ...headers: readonly string[]) =>
      by('narrow', path, 'Impersonate-User', 'boss', ...headers)
    const pods = '/api/v1/namespaces/default/pods'
    match((await as(pods)).message, /User "boss" cannot list resource "pods"/)
    match((await as(`${pods}/x`)).message, /User "narrow" cannot impersonate-on:user-info:get/)
    match((await as(pods, 'Impersonate-Group', 'dev')).message, /User "boss" cannot/)
    match((await as(pods, 'Impersonate-Group', 'system:masters')).message, /the system:masters group is not allowed/)
    match((await as(pods, 'Impersonate-Group', '')).message, /impersonating the empty string group is not allowed/)
    match((await as(pods, 'Impersonate-Extra-example.com%2fteam', 'blue')).message, /User "boss" cannot/)
    match(
      (await as(pods, 'Impersonate-Extra-scopes', 'all')).message,
      /impersonating an invalid key in extra is not allowed: extra.key: Invalid value: "scopes": must be a domain-prefixed path/,
    )
    match(
      (await by('narrow', pods, 'Impersonate-User', 'admin')).message,
      /cannot impersonate:user-info resource "users"/,
    )
  })

  it('has modes of its own for nodes and service accounts, which bring their groups', async () => {
    match(
      (await by('agent', '/api/v1/nodes/worker', 'Impersonate-User', 'system:node:worker')).message,
      /nodes "worker" not found/,
    )
    match(
      (await by('agent', '/api/v1/nodes/other', 'Impersonate-User', 'system:node:other')).message,
      /cannot impersonate:arbitrary-node resource "nodes"/,
    )
    match(
      (await by('agent', '/api/v1/namespaces/a/configmaps', 'Impersonate-User', 'system:serviceaccount:a:b')).message,
      /User "system:serviceaccount:a:b" cannot list/,
    )
  })
})
