import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EmptyConfigurationError } from './configuration-error.js'
import type { ConnectionFlags } from './flags.js'
import { failure, fakeHost } from './kubeconfig.test.kit.js'
import { parseTimeout, resolveConnection } from './resolve.js'

const file = `
clusters:
- name: here
  cluster: {server: "https://here:6443/", certificate-authority-data: Y2E=, tls-server-name: kubernetes}
- name: far
  cluster: {server: "https://far/prefix/?a=b", insecure-skip-tls-verify: true}
users:
- name: jane
  user: {token: of-jane, tokenFile: /token}
- name: joe
  user: {client-certificate-data: Y2VydA==, client-key-data: a2V5}
contexts:
- name: usual
  context: {cluster: here, user: jane, namespace: work}
- name: other
  context: {cluster: far, user: joe}
current-context: usual
`

const path = '/home/jane/.kube/config'
const token = '/var/run/secrets/kubernetes.io/serviceaccount/token'
const podVariables = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' }
const resolved = (flags: ConnectionFlags = {}, text = file) =>
  resolveConnection(fakeHost({ [path]: text, '/work/ca.crt': '', '/work/a.crt': '', '/work/a.key': '' }), {
    flags,
  })

test('the current context gives server, user and namespace', async () => {
  assert.deepEqual(await resolved(), {
    server: 'https://here:6443',
    namespace: 'work',
    cluster: { server: 'https://here:6443/', 'certificate-authority-data': 'Y2E=', 'tls-server-name': 'kubernetes' },
    user: { token: 'of-jane', tokenFile: '/token' },
  })
})

describe('flags override the file', () => {
  test('--context', async () => {
    const { server, namespace, user } = await resolved({ context: 'other' })
    assert.deepEqual([server, namespace], ['https://far/prefix', 'default'])
    assert.equal(user['client-key-data'], 'a2V5')
  })
  test('--cluster, --user and --namespace, independently', async () => {
    const { server, namespace, user } = await resolved({ cluster: 'far', user: 'joe', namespace: 'mine' })
    assert.deepEqual([server, namespace, user.token], ['https://far/prefix', 'mine', undefined])
  })
  test('--server, which removes the TLS server name of the file', async () => {
    const { server, cluster } = await resolved({ server: 'https://new:1' })
    assert.equal(server, 'https://new:1')
    assert.deepEqual([cluster['tls-server-name'], cluster['certificate-authority-data']], [undefined, 'Y2E='])
    assert.equal((await resolved({ server: 'https://a', 'tls-server-name': 'b' })).cluster['tls-server-name'], 'b')
  })
  test('--server without a scheme means HTTP', async () => {
    assert.equal((await resolved({ server: 'new:1' })).server, 'http://new:1')
  })
  test('--token, also over a token file', async () => {
    assert.deepEqual((await resolved({ token: 'flag' })).user, { token: 'flag' })
  })
  test('--certificate-authority and --insecure-skip-tls-verify replace the trust settings of the file', async () => {
    const { cluster } = await resolved({ 'certificate-authority': 'ca.crt' })
    assert.deepEqual(
      [cluster['certificate-authority'], cluster['certificate-authority-data']],
      ['/work/ca.crt', undefined],
    )
    const insecure = (await resolved({ 'insecure-skip-tls-verify': true })).cluster
    assert.deepEqual([insecure['insecure-skip-tls-verify'], insecure['certificate-authority-data']], [true, undefined])
  })
  test('--client-certificate and --client-key', async () => {
    const { user } = await resolved({ user: 'joe', 'client-certificate': 'a.crt', 'client-key': 'a.key' })
    assert.deepEqual(user, { 'client-certificate': '/work/a.crt', 'client-key': '/work/a.key' })
  })
  test('--as, --as-group and --as-uid', async () => {
    const { user } = await resolved({ as: 'root', 'as-group': ['a', 'b'], 'as-uid': '7' })
    assert.deepEqual([user.as, user['as-groups'], user['as-uid']], ['root', ['a', 'b'], '7'])
  })
  test('--request-timeout', async () => {
    assert.equal((await resolved({ 'request-timeout': '1m' })).timeout, 60_000)
    assert.equal((await resolved({ 'request-timeout': '0' })).timeout, undefined)
  })
})

test('a timeout is a duration or a number of seconds', async () => {
  assert.deepEqual(['5', '1m30s', '250ms', '0'].map(parseTimeout), [5000, 90_000, 250, 0])
  assert.throws(() => parseTimeout('soon'), {
    message:
      'Invalid timeout value. Timeout must be a single integer in seconds, or an integer followed by a corresponding time unit (e.g. 1s | 2m | 3h)',
  })
})

describe("problems are reported with upstream's messages", () => {
  const stanzas = (cluster: string, user: string) =>
    `clusters: [{name: c, cluster: ${cluster}}]\nusers: [{name: u, user: ${user}}]\ncontexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x`
  const server = '{server: "https://a"}'
  const exec = (more: string) => stanzas(server, `{exec: {command: a, apiVersion: v, interactiveMode: Never, ${more}}}`)
  const table: readonly (readonly [string, ConnectionFlags, string, string])[] = [
    ['a context of a flag', { context: 'x' }, file, 'context "x" does not exist'],
    ['a cluster of a flag', { cluster: 'x' }, file, 'cluster "x" does not exist'],
    ['a user of a flag', { user: 'x' }, file, 'auth info "x" does not exist'],
    [
      'a current context that is not there',
      {},
      'current-context: gone',
      'invalid configuration: [context was not found for specified context: gone, cluster has no server defined]',
    ],
    [
      'nothing at all',
      {},
      '',
      'invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable',
    ],
    ['no server', {}, stanzas('{tls-server-name: a}', '{}'), 'invalid configuration: no server found for cluster "c"'],
    [
      'two ways to say who one is',
      {},
      stanzas(server, '{token: a, username: b, password: c}'),
      'invalid configuration: more than one authentication method found for u; found [token basicAuth], only one is allowed',
    ],
    [
      'a certificate without its key',
      {},
      stanzas(server, '{client-certificate: nope}'),
      'invalid configuration: [client-key-data or client-key must be specified for u to use the clientCert authentication method., ' +
        'unable to read client-cert /home/jane/.kube/nope for u due to open /home/jane/.kube/nope: no such file or directory]',
    ],
    [
      'groups without a user',
      {},
      stanzas(server, '{as-groups: [a]}'),
      'invalid configuration: requesting groups or user-extra for u without impersonating a user',
    ],
    [
      'a plugin without a command',
      {},
      exec('command: ""'),
      'invalid configuration: command must be specified for u to use exec authentication plugin',
    ],
    [
      'a plugin without a mode',
      {},
      exec('interactiveMode: ""'),
      'invalid configuration: interactiveMode must be specified for u to use exec authentication plugin',
    ],
    [
      'a plugin with a mode of its own',
      {},
      exec('interactiveMode: maybe'),
      'invalid configuration: invalid interactiveMode for u: "maybe"',
    ],
    [
      'a proxy of another kind',
      {},
      stanzas('{server: a, proxy-url: "ftp://jane:secret@a"}', '{}'),
      `invalid configuration: invalid 'proxy-url' "ftp://a" for cluster "c": unsupported scheme "ftp", must be http, https, or socks5`,
    ],
  ]
  for (const [name, flags, text, message] of table)
    test(name, async () => {
      assert.equal(await failure(() => resolved(flags, text)), message)
    })
})

describe('without a configured server', () => {
  const pod = (files: Readonly<Record<string, string>> = {}, variables: Readonly<Record<string, string>> = {}) =>
    fakeHost({ [token]: 'of-the-pod', ...files }, { variables: { ...podVariables, ...variables } })
  const folder = '/var/run/secrets/kubernetes.io/serviceaccount'

  test('a pod uses its service account', async () => {
    const files = { [`${folder}/ca.crt`]: 'ca', [`${folder}/namespace`]: 'home\n' }
    assert.deepEqual(await resolveConnection(pod(files)), {
      server: 'https://10.96.0.1:443',
      namespace: 'home',
      cluster: { server: 'https://10.96.0.1:443', 'certificate-authority': `${folder}/ca.crt` },
      user: { tokenFile: token },
    })
  })
  test('a pod may set its namespace, and its server may have an IPv6 address', async () => {
    const variables = { POD_NAMESPACE: 'told', KUBERNETES_SERVICE_HOST: 'fd00::1' }
    const { server, namespace } = await resolveConnection(pod({}, variables))
    assert.deepEqual([server, namespace], ['https://[fd00::1]:443', 'told'])
    const flags = { namespace: 'flag', token: 'other' }
    const connection = await resolveConnection(pod({}, variables), { flags })
    assert.deepEqual([connection.namespace, connection.user], ['flag', { token: 'other' }])
  })
  test('a pod with a kubeconfig uses the kubeconfig', async () => {
    assert.equal((await resolveConnection(pod({ [path]: file }))).server, 'https://here:6443')
  })
  test('a host has the default server, or none', async () => {
    const { server } = await resolveConnection(fakeHost(), { defaultServer: 'http://localhost:8080' })
    assert.equal(server, 'http://localhost:8080')
    await assert.rejects(resolveConnection(fakeHost()), EmptyConfigurationError)
  })
})
