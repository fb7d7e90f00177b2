import { deepStrictEqual as deepEqual, strictEqual as equal, ok, throws } from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { builtin } from '../../api/scheme.js'
import { environment } from '../../base/environment.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { encodeProtobuf } from '../../schema/protobuf/encode.js'
import { adminToken, startTestApiServer } from '../../testing/servers/api-server.js'
import { startJsonService } from '../../testing/servers/json-service.js'
import { sendRaw } from '../../testing/servers/whoami.js'
import { inEnvelope, protobufType } from '../../wire/protobuf.js'
import { requestInfo } from '../request/request-info.js'
import type { AuditEvent } from './event.js'
import { AuditLogFile } from './log-file.js'
import { type AuditPolicyRule, readAuditPolicy } from './policy.js'
import { compiledAuditPolicy } from './policy-rules.js'
import { WebhookBatches } from './webhook-batches.js'

const type = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy' }

function folderOf(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'proa-test-'))
  context.after(() => rmSync(folder, { recursive: true }))
  return folder
}

describe('An audit policy', () => {
  const jane = { name: 'jane', uid: '', groups: ['dev', 'system:authenticated'], extra: {} }
  const level = (rules: readonly AuditPolicyRule[], path: string, method = 'GET') =>
    compiledAuditPolicy(readAuditPolicy({ ...type, rules }))(requestInfo(method, path, new URLSearchParams()), jane)
      .level

  it('is decided by the first rule that is for a request, and by none is nothing', () => {
    equal(level([{ level: 'Metadata', users: ['john'] }, { level: 'Request' }], '/healthz'), 'Request')
    equal(level([{ level: 'Metadata', users: ['john'] }], '/healthz'), 'None')
    equal(level([{ level: 'Metadata', userGroups: ['ops', 'dev'] }], '/healthz'), 'Metadata')
  })

  const pod = '/api/v1/namespaces/work/pods/p'
  for (const [rule, path, expected] of [
    [{ resources: [{ group: '', resources: ['pods'] }] }, pod, true],
    [{ resources: [{ group: '', resources: ['pods'] }] }, `${pod}/log`, false],
    [{ resources: [{ group: '', resources: ['pods/log'] }] }, `${pod}/log`, true],
    [{ resources: [{ group: '', resources: ['pods/*'] }] }, `${pod}/log`, true],
    [{ resources: [{ group: '', resources: ['*/log'] }] }, `${pod}/log`, true],
    [{ resources: [{ group: '', resources: ['*'] }] }, `${pod}/log`, true],
    [{ resources: [{ group: 'apps' }] }, pod, false],
    [{ resources: [{ group: '' }] }, pod, true],
    [{ resources: [{ group: '', resources: ['pods'], resourceNames: ['q'] }] }, pod, false],
    [{ namespaces: ['work'] }, pod, true],
    [{ namespaces: ['', 'play'] }, pod, false],
    [{ namespaces: [''] }, '/api/v1/nodes', true],
    [{ namespaces: [''] }, '/healthz', false],
    [{ nonResourceURLs: ['/healthz*'] }, '/healthz/etcd', true],
    [{ nonResourceURLs: ['/healthz'] }, '/healthz/etcd', false],
    [{ nonResourceURLs: ['*'] }, pod, false],
    [{ verbs: ['list'] }, pod, false],
    [{ verbs: ['get'] }, pod, true],
  ] as const)
    it(`${expected ? 'covers' : 'leaves out'} ${path} by ${JSON.stringify(rule)}`, () => {
      equal(level([{ level: 'Metadata', ...rule }], path), expected ? 'Metadata' : 'None')
    })

  it('that makes no sense is rejected', () => {
    for (const policy of [
      {},
      { ...type },
      { ...type, rules: [{ level: 'Everything' }] },
      { ...type, rules: [{ level: 'None', omitStages: ['Later'] }] },
      { ...type, rules: [{ level: 'None', nonResourceURLs: ['/a*/b'] }] },
      { ...type, rules: [{ level: 'None', nonResourceURLs: ['/a'], namespaces: ['b'] }] },
      { ...type, rules: [{ level: 'None', users: 'jane' }] },
      { ...type, rules: [{ level: 'None', resources: [{ resourceNames: ['a'] }] }] },
    ])
      throws(() => readAuditPolicy(policy))
  })
})

describe('An audit log', () => {
  it('tells who did what, at the levels and stages of the policy', async (context) => {
    const folder = folderOf(context)
    const policyFile = join(folder, 'policy.yaml')
    const path = join(folder, 'audit.log')
    writeFileSync(
      policyFile,
      `apiVersion: audit.k8s.io/v1
kind: Policy
omitManagedFields: true
rules:
- { level: None, nonResourceURLs: ['/healthz'] }
- { level: RequestResponse, resources: [{ resources: [configmaps] }], omitStages: [RequestReceived] }
- { level: Request, resources: [{ resources: [namespaces] }], omitStages: [RequestReceived] }
- { level: Metadata }
`,
    )
    const log = { path, maxSize: 1e6, maxBackups: 0, maxAge: 0 }
    const server = await startTestApiServer({ options: { audit: { policyFile, log } } })
    const headers = ['Authorization', `Bearer ${adminToken}`, 'content-type', 'application/json', 'user-agent', 'test']
    const configMaps = '/api/v1/namespaces/default/configmaps'
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'a-' }, data: { k: 'v' } }
    const { text } = await sendRaw(server, {
      method: 'POST',
      path: `${configMaps}?dryRun=All`,
      headers,
      body: JSON.stringify(object),
    })
    await sendRaw(server, { path: '/healthz', headers })
    await sendRaw(server, {
      path: '/api/v1/nodes',
      headers: ['Authorization', 'Bearer wrong', 'X-Forwarded-For', '192.0.2.1, no'],
    })
    await sendRaw(server, { path: '/api/v1/nodes' })
    await sendRaw(server, { path: `${configMaps}?watch=1&timeoutSeconds=1`, headers })
    await sendRaw(server, { method: 'POST', path: '/api/v1/namespaces', headers, body: '{"metadata":{"name":"Bad"}}' })
    await server.close()
    const content = readFileSync(path, 'utf8')
    ok(!content.includes(adminToken) && !content.includes('wrong'))
    const events = content
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    deepEqual(
      events.map(({ level, stage, verb, user, responseStatus }) => [
        level,
        stage,
        verb,
        user.username,
        responseStatus?.code,
      ]),
      [
        ['RequestResponse', 'ResponseComplete', 'create', 'admin', 201],
        ['Metadata', 'ResponseComplete', 'list', undefined, 401],
        ['Metadata', 'RequestReceived', 'list', 'system:anonymous', undefined],
        ['Metadata', 'ResponseComplete', 'list', 'system:anonymous', 403],
        ['RequestResponse', 'ResponseStarted', 'watch', 'admin', 200],
        ['RequestResponse', 'ResponseComplete', 'watch', 'admin', 200],
        ['Request', 'ResponseComplete', 'create', 'admin', 422],
      ],
    )
    const [created, refused] = events
    const answered = JSON.parse(text)
    delete answered.metadata.managedFields
    deepEqual(created.requestObject, object)
    deepEqual(created.responseObject, answered)
    equal(created.objectRef.name, answered.metadata.name)
    equal(created.requestURI, `${configMaps}?dryRun=All`)
    equal(created.userAgent, 'test')
    deepEqual(created.annotations['authorization.k8s.io/decision'], 'allow')
    deepEqual(refused.sourceIPs, ['192.0.2.1', '127.0.0.1'])
    equal(events[3].annotations['authorization.k8s.io/decision'], 'forbid')
    equal(events[6].responseObject, undefined)
    deepEqual([events[6].requestObject.kind, events[6].objectRef.name], ['Namespace', 'Bad'])
    equal(events[6].responseStatus.reason, 'Invalid')
  })

  it('knows what was sent also where that was protobuf, and whom it was about where only that may be known', async (context) => {
    const folder = folderOf(context)
    const policyFile = join(folder, 'policy.yaml')
    const path = join(folder, 'audit.log')
    const rules = [{ level: 'Request', resources: [{ resources: ['configmaps'] }] }, { level: 'Metadata' }]
    writeFileSync(policyFile, JSON.stringify({ ...type, omitStages: ['RequestReceived'], rules }))
    const log = { path, maxSize: 1e6, maxBackups: 0, maxAge: 0 }
    const server = await startTestApiServer({ options: { audit: { policyFile, log } } })
    const headers = ['Authorization', `Bearer ${adminToken}`]
    const configMap = { metadata: { name: 'a' }, data: { k: 'v' } }
    const message = encodeProtobuf(builtin.kind('v1', 'ConfigMap')!, configMap)
    const protobuf = {
      headers: [...headers, 'content-type', protobufType],
      body: inEnvelope({ apiVersion: 'v1', kind: 'ConfigMap', message }),
    }
    const here = '/api/v1/namespaces/default'
    await sendRaw(server, { method: 'POST', path: `${here}/configmaps`, ...protobuf })
    const secret = { metadata: { name: 's', uid: 'u' }, data: { hidden: 'aGlkZGVu' } }
    const json = [...headers, 'content-type', 'application/json']
    await sendRaw(server, { method: 'POST', path: `${here}/secrets`, headers: json, body: JSON.stringify(secret) })
    await server.close()
    const content = readFileSync(path, 'utf8')
    const [first, second] = content
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    deepEqual([first.responseStatus.code, first.requestObject.data, first.objectRef.name], [201, { k: 'v' }, 'a'])
    const place = { resource: 'secrets', namespace: 'default', apiVersion: 'v1' }
    deepEqual([second.responseStatus.code, second.objectRef], [201, { ...place, name: 's', uid: 'u' }])
    ok(!content.includes('hidden'))
  })

  it('is rotated by size, and old files go by number and age', async (context) => {
    const folder = folderOf(context)
    const clock = new VirtualClock()
    const path = join(folder, 'audit.log')
    const log = new AuditLogFile({ path, maxSize: 100, maxBackups: 2, maxAge: 3_600_000 }, environment({ clock }))
    const names = () => readdirSync(folder).sort()
    for (let index = 0; index < 5; index++) {
      log.take({ index, text: 'x'.repeat(60) })
      await clock.advance('1m')
    }
    deepEqual(names(), ['audit-2026-01-01T00-03-00.000.log', 'audit-2026-01-01T00-04-00.000.log', 'audit.log'])
    ok(readFileSync(path, 'utf8').includes('"index":4'))
    await clock.advance('2h')
    log.take({ index: 5, text: 'x'.repeat(60) })
    deepEqual(names(), ['audit-2026-01-01T02-05-00.000.log', 'audit.log'])
    await log.close()
  })
})

describe('An audit webhook', () => {
  const batches = async (context: TestContext, fails = false) => {
    const clock = new VirtualClock()
    const surroundings = environment({ clock })
    const sent: AuditEvent[][] = []
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const client = async (review: object) => {
      await held
      if (fails) throw new Error('the webhook cannot be reached')
      sent.push((review as { items: AuditEvent[] }).items)
    }
    const webhook = new WebhookBatches(client, { maxSize: 3, maxWait: 1000, bufferSize: 5 }, surroundings)
    context.after(() => webhook.close())
    return { clock, webhook, sent, release, metrics: () => surroundings.metrics.text() }
  }

  it('gets events in batches, full ones at once and others after a while', async (context) => {
    const { webhook, sent, clock, release } = await batches(context)
    release()
    for (let index = 0; index < 4; index++) webhook.take({ index })
    await clock.advance(10)
    deepEqual(
      sent.map((items) => items.length),
      [3, 1],
    )
    webhook.take({ index: 4 })
    await clock.advance(500)
    equal(sent.length, 2)
    await clock.advance(600)
    equal(sent.length, 3)
  })

  it('that is too slow loses events, which is counted', async (context) => {
    const { webhook, release, metrics } = await batches(context)
    for (let index = 0; index < 20; index++) webhook.take({ index })
    ok((await metrics()).includes('apiserver_audit_error_total{plugin="webhook"} 12'))
    release()
  })

  it('that fails holds nobody up', async (context) => {
    const { webhook, release, metrics } = await batches(context, true)
    release()
    webhook.take({ index: 0 })
    await webhook.close()
    ok((await metrics()).includes('apiserver_audit_error_total{plugin="webhook"} 1'))
  })

  it('is reached over HTTPS by its kubeconfig', async (context) => {
    const folder = folderOf(context)
    const service = await startJsonService(context, () => ({ body: {} }))
    const policyFile = join(folder, 'policy.json')
    const configFile = join(folder, 'webhook.json')
    const data = Buffer.from(service.authority).toString('base64')
    writeFileSync(policyFile, JSON.stringify({ ...type, rules: [{ level: 'Metadata' }] }))
    writeFileSync(
      configFile,
      JSON.stringify({
        clusters: [{ name: 'a', cluster: { server: service.url, 'certificate-authority-data': data } }],
      }),
    )
    const webhook = { configFile, maxSize: 2, maxWait: 1000, bufferSize: 100 }
    const server = await startTestApiServer({ options: { audit: { policyFile, webhook } } })
    await sendRaw(server, { path: '/healthz' })
    await server.close()
    const [request] = service.requests
    deepEqual(
      (request!.body as { items: { stage: string }[] }).items.map(({ stage }) => stage),
      ['RequestReceived', 'ResponseComplete'],
    )
  })
})
