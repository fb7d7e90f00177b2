import { deepStrictEqual as deepEqual, strictEqual as equal, match, throws } from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { createClientCertificate, testAuthority } from '../../../testing/servers/https-server.js'
import { webhookCredentials } from './credentials.js'
import type { WebhookService } from './service-address.js'
import { caBundle, openWebhookServer, servingAs, startHook, webhook, yes } from './webhooks.test.kit.js'

const name = 'check.example.com'

function kubeconfig(context: TestContext, content: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'proa-test-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'webhooks.kubeconfig')
  writeFileSync(path, JSON.stringify(content))
  return path
}

/** What `--admission-control-config-file` says. */
function told(kubeConfigFile: string) {
  const apiVersion = 'apiserver.config.k8s.io/v1'
  const ValidatingAdmissionWebhook = { apiVersion, kind: 'WebhookAdmissionConfiguration', kubeConfigFile }
  return { enabled: [], disabled: ['ServiceAccount'], configurations: { ValidatingAdmissionWebhook } }
}

const service = { namespace: 'hooks', name: 'check', path: '/look', port: 8443 }

describe('A webhook behind a service', () => {
  it('is reached where the service is, and known by the name of the service', async (context) => {
    const seen: unknown[] = []
    const hook = await startHook(
      context,
      (_, { incoming: { url, headers } }) => {
        seen.push([url, headers.host])
        return { allowed: true }
      },
      servingAs('check.hooks.svc'),
    )
    const asked: WebhookService[] = []
    const resolveService = (given: WebhookService) => {
      asked.push(given)
      return { host: '127.0.0.1', port: hook.port }
    }
    const admission = { enabled: [], disabled: ['ServiceAccount'], resolveService }
    const server = await openWebhookServer(context, { admission })
    await server.register('Validating', 'c', webhook(name, '', { clientConfig: { service, caBundle } }))
    equal((await server.create('a')).code, 201)
    deepEqual(asked, [{ namespace: 'hooks', name: 'check', port: 8443 }])
    deepEqual(seen, [['/look?timeout=10s', 'check.hooks.svc:8443']])
  })

  it('is looked for at the address that the cluster gave the service', async (context) => {
    const server = await openWebhookServer(context)
    await server.send('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'hooks' },
    })
    await server.register(
      'Validating',
      'c',
      webhook(name, '', { clientConfig: { service, caBundle }, timeoutSeconds: 1 }),
    )
    const refusal = async () => String((await server.create('a')).body.message).split('Post ')[1]
    const url = '"https://check.hooks.svc:8443/look?timeout=1s"'
    equal(await refusal(), `${url}: service "check" not found`)
    const put = (spec: object) =>
      server.send('POST', '/api/v1/namespaces/hooks/services', {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'check' },
        spec,
      })
    const remove = () => server.send('DELETE', '/api/v1/namespaces/hooks/services/check')
    await put({ clusterIP: 'None', ports: [{ port: 8443 }], selector: { a: 'b' } })
    equal(await refusal(), `${url}: cannot route to service with ClusterIP "None"`)
    await remove()
    await put({ ports: [{ port: 443 }], selector: { a: 'b' } })
    equal(await refusal(), `${url}: no service port 8443 found for service "check"`)
    await remove()
    const hook = await startHook(context, yes, servingAs('check.hooks.svc'))
    await put({ type: 'ExternalName', externalName: 'localhost' })
    const outside = { service: { ...service, port: hook.port }, caBundle }
    await server.send('DELETE', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/c')
    await server.register('Validating', 'c', webhook(name, '', { clientConfig: outside }))
    equal((await server.create('a')).code, 201)
    equal(hook.reviews.length, 1)
  })
})

describe('To webhooks the server shows itself', () => {
  it('as the user whose name is nearest to that of theirs', async (context) => {
    const names = ['check.hooks.svc:8443', 'check.hooks.svc', '*.hooks.svc', '*.svc', '*']
    const users = names.map((one) => ({ name: one, user: { token: one } }))
    const of = webhookCredentials(kubeconfig(context, { users }))
    const table: readonly (readonly [string, string])[] = [
      ['check.hooks.svc:8443', 'check.hooks.svc:8443'],
      ['check.hooks.svc:443', 'check.hooks.svc'],
      ['other.hooks.svc:443', '*.hooks.svc'],
      ['a.b.svc:443', '*.svc'],
      ['a.b.svc:1', '*'],
      ['example.com:443', '*'],
    ]
    for (const [target, user] of table) deepEqual(await of(target), { authorization: `Bearer ${user}` }, target)
  })

  it('as that of the current context where no name fits, and otherwise as nobody', async (context) => {
    const users = [{ name: 'me', user: { username: 'me', password: 'secret' } }]
    const contexts = [{ name: 'c', context: { user: 'me' } }]
    const current = webhookCredentials(kubeconfig(context, { users, contexts, 'current-context': 'c' }))
    deepEqual(await current('a:443'), { authorization: `Basic ${Buffer.from('me:secret').toString('base64')}` })
    deepEqual(await webhookCredentials(kubeconfig(context, { users }))('a:443'), {})
    deepEqual(await webhookCredentials(undefined)('a:443'), {})
    throws(() => webhookCredentials('/nowhere/at/all'), /ENOENT/)
  })

  it('by a certificate', async (context) => {
    const client = createClientCertificate(testAuthority, { commonName: 'the-server' })
    const encoded = (text: string) => Buffer.from(text).toString('base64')
    const user = { 'client-certificate-data': encoded(client.cert), 'client-key-data': encoded(client.key) }
    const seen: unknown[] = []
    const tls = { ...servingAs('127.0.0.1'), requestCert: true, rejectUnauthorized: true, ca: testAuthority.cert }
    const hook = await startHook(
      context,
      (_, { incoming }) => {
        seen.push(
          (incoming.socket as never as { getPeerCertificate(): { subject: { CN: string } } }).getPeerCertificate()
            .subject.CN,
        )
        return { allowed: true }
      },
      tls,
    )
    const users = [{ name: `127.0.0.1:${hook.port}`, user }]
    const kubeConfigFile = kubeconfig(context, { users })
    const admission = told(kubeConfigFile)
    const server = await openWebhookServer(context, { admission })
    await server.register('Validating', 'c', webhook(name, hook.url))
    equal((await server.create('a')).code, 201)
    deepEqual(seen, ['the-server'])
  })

  it('not at all where the file cannot be read, and says so', async (context) => {
    const path = kubeconfig(context, {})
    writeFileSync(path, '"unfinished')
    const admission = told(path)
    const server = await openWebhookServer(context, { admission })
    const hook = await startHook(context, yes)
    await server.register('Validating', 'c', webhook(name, hook.url))
    const { code, body } = await server.create('a')
    equal(code, 500)
    match(String(body.message), /failed calling webhook "check\.example\.com": could not get REST client: /)
  })
})
