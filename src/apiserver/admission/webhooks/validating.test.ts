import { deepStrictEqual as deepEqual, strictEqual as equal } from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { environment } from '../../../base/environment.js'
import { createAuditor } from '../../audit/create-auditor.js'
import { configMaps, openWebhookServer, patching, refusalIn, startHook, webhook, yes } from './webhooks.test.kit.js'

const name = 'check.example.com'
const denied = `admission webhook "${name}" denied the request`

describe('Validating webhooks', () => {
  it('refuse in their own words, but never with a success', async (context) => {
    let status: object | undefined
    const hook = await startHook(context, () => ({ allowed: false, ...(status && { status }) }))
    const server = await openWebhookServer(context)
    await server.register('Validating', 'c', webhook(name, hook.url))
    const refusal = async (given?: object) => {
      status = given
      return refusalIn(await server.create('a'))
    }
    deepEqual(await refusal(), { code: 400, message: `${denied} without explanation` })
    deepEqual(await refusal({ message: 'no' }), { code: 400, message: `${denied}: no` })
    deepEqual(await refusal({ reason: 'Conflict', code: 409 }), {
      code: 409,
      reason: 'Conflict',
      message: `${denied}: Conflict`,
    })
    const details = { name: 'x', causes: [{ field: 'f', message: 'm' }] }
    deepEqual(await refusal({ message: 'no', reason: 'Forbidden', code: 403, details }), {
      code: 403,
      reason: 'Forbidden',
      message: `${denied}: no`,
      details,
    })
    deepEqual(await refusal({ status: 'Success', message: 'yes', code: 200 }), { code: 400, message: `${denied}: yes` })
    equal((await server.create('a')).body.status, 'Failure')
  })

  it('are asked all at once, and of several refusals the first counts', async (context) => {
    const server = await openWebhookServer(context)
    let arrived = 0
    let release = () => {}
    const all = new Promise<void>((resolve) => {
      release = resolve
    })
    const meeting = async () => {
      if (++arrived === 2) release()
      await all
    }
    const slow = await startHook(context, async () => {
      await meeting()
      return undefined
    })
    const quick = await startHook(context, async () => {
      await meeting()
      return { allowed: false, status: { message: 'quick' } }
    })
    await server.register(
      'Validating',
      'c',
      webhook('slow.example.com', slow.url, { timeoutSeconds: 1 }),
      webhook('quick.example.com', quick.url),
    )
    const { body } = await server.create('a')
    equal(body.message, 'admission webhook "quick.example.com" denied the request: quick')
  })

  it('see what mutating ones made of the object, and the rules of its kind accepted', async (context) => {
    const server = await openWebhookServer(context)
    const changing = await startHook(context, () => patching({ op: 'add', path: '/data', value: { a: 'b' } }))
    const looking = await startHook(context, yes)
    await server.register('Mutating', 'c', webhook('m.example.com', changing.url))
    await server.register('Validating', 'c', webhook('v.example.com', looking.url))
    const created = await server.create('', { metadata: { name: undefined, generateName: 'g-' } })
    equal(created.code, 201)
    const { request } = looking.reviews[0]!
    deepEqual(request.object.data, { a: 'b' })
    equal(request.name, request.object.metadata.name)
    equal(changing.reviews[0]!.request.name, undefined, 'nobody knows yet what it will be called')
  })

  it('keep their connections', async (context) => {
    const hook = await startHook(context, yes)
    const server = await openWebhookServer(context)
    await server.register('Validating', 'c', webhook(name, hook.url), webhook('other.example.com', hook.url))
    for (const one of ['a', 'b', 'c', 'd']) equal((await server.create(one)).code, 201)
    deepEqual([hook.reviews.length, hook.connections], [8, 2])
  })

  it('are asked again by and by if they ask for patience', async (context) => {
    let count = 0
    const hook = await startHook(context, (_, { outgoing }) => {
      if (++count === 3) return { allowed: true }
      outgoing.writeHead(503, { 'retry-after': '0' }).end()
      return undefined
    })
    const server = await openWebhookServer(context)
    await server.register('Validating', 'c', webhook(name, hook.url))
    equal((await server.create('a')).code, 201)
    equal(count, 3)
  })

  it('are asked again at once where a connection that was kept is gone', async (context) => {
    let isRude = false
    const hook = await startHook(context, (_, { incoming }) => {
      if (!isRude) return { allowed: true }
      isRude = false
      incoming.socket.destroy()
      return undefined
    })
    const server = await openWebhookServer(context)
    await server.register('Validating', 'c', webhook(name, hook.url))
    equal((await server.create('a')).code, 201)
    isRude = true
    equal((await server.create('b')).code, 201)
    equal(hook.connections, 2)
  })

  it('take no longer than the request may', async (context) => {
    const hook = await startHook(context, () => undefined)
    const server = await openWebhookServer(context)
    await server.register('Validating', 'c', webhook(name, hook.url, { failurePolicy: 'Ignore' }))
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
    const { code } = await server.send('POST', `${configMaps}?timeout=200ms`, object)
    equal(code, 504)
    equal((await server.send('GET', `${configMaps}/a`)).code, 404)
  })

  it('know what they are asked in, and for how long', async (context) => {
    const paths: unknown[] = []
    const hook = await startHook(context, (_, { incoming: { method, url, headers } }) => {
      const { host: _host, 'content-length': _length, connection: _connection, ...rest } = headers
      paths.push([method, url, rest])
      return { allowed: true }
    })
    const server = await openWebhookServer(context)
    await server.register('Validating', 'c', webhook(name, hook.url, { timeoutSeconds: 7 }))
    await server.create('a')
    deepEqual(paths, [
      [
        'POST',
        '/hook?timeout=7s',
        {
          'content-type': 'application/json',
          accept: 'application/json, */*',
          'user-agent': 'kube-apiserver-admission',
        },
      ],
    ])
  })

  it('warn the client, each warning once', async (context) => {
    const hook = await startHook(context, () => ({ allowed: true, warnings: ['care', 'care', '', 'more "care" ☃'] }))
    const server = await openWebhookServer(context)
    await server.register('Validating', 'c', webhook(name, hook.url))
    const { headers } = await server.create('a')
    const warnings = headers.filter((_, i) => headers[i - 1] === 'warning')
    deepEqual(warnings, ['299 - "care"', '299 - "more \\"care\\" ☃"'])
  })

  it('are not bothered by a dry run if they would do something', async (context) => {
    const hook = await startHook(context, yes)
    const server = await openWebhookServer(context)
    const dry = (one: string) =>
      server.send('POST', `${configMaps}?dryRun=All`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: one } })
    for (const sideEffects of ['None', 'NoneOnDryRun']) {
      await server.register('Validating', sideEffects.toLowerCase(), webhook(name, hook.url, { sideEffects }))
      equal((await dry('a')).code, 201)
    }
    deepEqual([hook.reviews.length, hook.reviews[0]!.request.dryRun], [3, true])
    deepEqual(hook.reviews[0]!.request.options, {
      kind: 'CreateOptions',
      apiVersion: 'meta.k8s.io/v1',
      dryRun: ['All'],
    })
    await registerOld(server, hook.url)
    const refusal = await dry('a')
    deepEqual([refusal.code, refusal.body.reason], [400, 'BadRequest'])
    equal(refusal.body.message, 'admission webhook "old.example.com" does not support dry run')
    equal((await server.create('a')).code, 201)
  })

  it('are told of to those who look at the request later', async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'proa-test-'))
    context.after(() => rmSync(folder, { recursive: true }))
    const policyFile = join(folder, 'policy.json')
    const path = join(folder, 'audit.log')
    let written = 1
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    const write = async (level: string) => {
      const rules = [{ level, resources: [{ group: '', resources: ['configmaps'] }] }]
      const policy = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules, omitStages: ['RequestReceived'] }
      writeFileSync(policyFile, JSON.stringify(policy))
      return createAuditor({ policyFile, log: { path, maxSize: 1_000_000, maxBackups: 1, maxAge: 1 } }, environment())
    }
    const annotations = async (level: string) => {
      const auditor = await write(level)
      const server = await openWebhookServer(context, { auditor })
      const changing = await startHook(context, () => ({
        ...patching({ op: 'add', path: '/data', value: { a: 'b' } }),
        auditAnnotations: { why: 'because', 'bad name': 'x' },
      }))
      await server.register(
        'Mutating',
        'config',
        webhook('m.example.com', changing.url),
        webhook('gone.example.com', 'https://127.0.0.1:1/', { failurePolicy: 'Ignore' }),
      )
      await server.register('Validating', 'c', webhook(name, 'https://127.0.0.1:1/', { failurePolicy: 'Ignore' }))
      equal((await server.create('a')).code, 201)
      while (readFileSync(path, 'utf8').split('\n').length <= written) await turn()
      written++
      await auditor?.close()
      const [line] = readFileSync(path, 'utf8').trim().split('\n').reverse()
      const { annotations: found } = JSON.parse(line!) as { annotations: Record<string, string> }
      return Object.fromEntries(Object.entries(found).filter(([key]) => !key.startsWith('authorization')))
    }
    const told = {
      'm.example.com/why': 'because',
      'mutation.webhook.admission.k8s.io/round_0_index_0':
        '{"configuration":"config","webhook":"m.example.com","mutated":true}',
      'mutation.webhook.admission.k8s.io/round_0_index_1':
        '{"configuration":"config","webhook":"gone.example.com","mutated":false}',
      'failed-open.mutation.webhook.admission.k8s.io/round_0_index_1': 'gone.example.com',
      'failed-open.validating.webhook.admission.k8s.io/round_0_index_0': name,
    }
    deepEqual(await annotations('Metadata'), told)
    deepEqual(await annotations('Request'), {
      ...told,
      'patch.webhook.admission.k8s.io/round_0_index_0':
        '{"configuration":"config","webhook":"m.example.com","patch":[{"op":"add","path":"/data","value":{"a":"b"}}],"patchType":"JSONPatch"}',
    })
  })

  it('are counted', async (context) => {
    const server = await openWebhookServer(context)
    const no = await startHook(context, () => ({ allowed: false, status: { code: 999 } }))
    await server.register('Validating', 'c', webhook(name, no.url))
    await server.register(
      'Mutating',
      'c',
      webhook('gone.example.com', 'https://127.0.0.1:1/', { failurePolicy: 'Ignore' }),
      webhook('yes.example.com', (await startHook(context, yes)).url),
    )
    await server.create('a')
    const { text } = await server.send('GET', '/metrics')
    const lines = text
      .split('\n')
      .filter((line) => line.startsWith('apiserver_admission_webhook') && !/_bucket|_sum/.test(line))
    deepEqual(lines.sort(), [
      'apiserver_admission_webhook_admission_duration_seconds_count{name="check.example.com",type="validating",operation="CREATE",rejected="true"} 1',
      'apiserver_admission_webhook_admission_duration_seconds_count{name="gone.example.com",type="admit",operation="CREATE",rejected="false"} 1',
      'apiserver_admission_webhook_admission_duration_seconds_count{name="yes.example.com",type="admit",operation="CREATE",rejected="false"} 1',
      'apiserver_admission_webhook_fail_open_count{name="gone.example.com",type="admit"} 1',
      'apiserver_admission_webhook_rejection_count{name="check.example.com",type="validating",operation="CREATE",error_type="no_error",rejection_code="600"} 1',
      'apiserver_admission_webhook_request_total{name="check.example.com",type="validating",operation="CREATE",code="600",rejected="true"} 1',
      'apiserver_admission_webhook_request_total{name="gone.example.com",type="admit",operation="CREATE",code="503",rejected="false"} 1',
      'apiserver_admission_webhook_request_total{name="yes.example.com",type="admit",operation="CREATE",code="200",rejected="false"} 1',
    ])
  })
})

/** Side effects that nobody may register any more: only a configuration from before can have them. */
async function registerOld(server: Awaited<ReturnType<typeof openWebhookServer>>, url: string): Promise<void> {
  const kind = 'ValidatingWebhookConfiguration'
  const object = { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: 'old' } }
  const old = {
    ...object,
    webhooks: [{ ...webhook('old.example.com', url, { sideEffects: 'Some' }), matchPolicy: 'Exact' }],
  }
  const key = '/registry/validatingwebhookconfigurations/old'
  const withDefaults = old.webhooks.map((one) => ({
    ...one,
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: 10,
  }))
  await server.api.objects.write([{ key, expected: 0, object: { ...old, webhooks: withDefaults } as never }])
}
