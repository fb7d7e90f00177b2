import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namespace, openPluginHarness, pod, rejectionOf } from '../admission.test.kit.js'
import type { PodSecurityConfiguration } from './configuration.js'
import { podSecurity } from './plugin.js'
import { readNamespacePolicy, unlimited } from './policy.js'
import { PodSecurityStandards } from './standards.js'

const label = 'pod-security.kubernetes.io/'

test('a level rejects pods, and only warns about what will make pods', async () => {
  const harness = await openPluginHarness()
  await harness.store(namespace('here', { [`${label}enforce`]: 'baseline' }))
  const plugin = harness.create(podSecurity)
  assert.equal(
    await rejectionOf(harness.admit(plugin, { object: pod('a', { hostPID: true }) })),
    'pods "a" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostPID=true)',
  )
  const template = { metadata: {}, spec: { hostPID: true, containers: [] } }
  const object = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd', namespace: 'here' },
    spec: { template },
    status: {},
  }
  const { warnings } = await harness.admit(plugin, { object })
  assert.deepEqual(warnings, ['would violate PodSecurity "baseline:latest": host namespaces (hostPID=true)'])
})

test('a change that cannot matter is not looked at', async () => {
  const harness = await openPluginHarness()
  await harness.store(namespace('here', { [`${label}enforce`]: 'restricted' }))
  const plugin = harness.create(podSecurity)
  await harness.admit(plugin, { object: pod('a', {}, { labels: { a: 'b' } }), old: pod('a') })
  const image = { containers: [{ name: 'main', image: 'app:2' }] }
  assert.match(
    await rejectionOf(harness.admit(plugin, { object: pod('a', image), old: pod('a') })),
    /violates PodSecurity/,
  )
})

test('a namespace that becomes stricter tells which of its pods would not be taken', async () => {
  const harness = await openPluginHarness()
  await harness.store(namespace('here'), pod('a', { hostIPC: true }), pod('b', { hostIPC: true }), pod('c'))
  const object = namespace('here', { [`${label}enforce`]: 'baseline' })
  const { warnings } = await harness.admit(harness.create(podSecurity), { object, old: namespace('here') })
  assert.deepEqual(warnings, [
    'existing pods in namespace "here" violate the new PodSecurity enforce level "baseline:latest"',
    'a (and 1 other pod): host namespaces',
  ])
})

test('labels that cannot be read are rejected, and count as the strictest', async () => {
  const harness = await openPluginHarness()
  const object = namespace('here', { [`${label}enforce`]: 'strict', [`${label}warn-version`]: 'v2' })
  const message = await rejectionOf(harness.admit(harness.create(podSecurity), { object }))
  assert.match(message, /enforce\]: Invalid value: "strict": must be one of privileged, baseline, restricted/)
  assert.match(message, /warn-version\]: Invalid value: "v2": must be "latest" or "v1.x"/)
  assert.equal(readNamespacePolicy({ [`${label}enforce`]: 'strict' }).policy.enforce.level, 'restricted')
})

function configured(defaults: object, exemptions: object): PodSecurityConfiguration {
  const given = { enforce: 'privileged', audit: 'privileged', warn: 'privileged', ...defaults }
  const versions = { 'enforce-version': 'latest', 'audit-version': 'latest', 'warn-version': 'latest' }
  return { apiVersion: '', kind: '', defaults: { ...versions, ...given } as never, exemptions }
}

test('what labels do not say, the configuration does', async () => {
  const harness = await openPluginHarness()
  await harness.store(namespace('here'), namespace('open', { [`${label}enforce`]: 'privileged' }))
  const plugin = harness.create(podSecurity, {}, configured({ enforce: 'baseline', 'enforce-version': 'v1.30' }, {}))
  assert.match(
    await rejectionOf(harness.admit(plugin, { object: pod('a', { hostPID: true }) })),
    /violates PodSecurity "baseline:v1.30": host namespaces/,
  )
  await harness.admit(plugin, { object: pod('a', { hostPID: true }, { namespace: 'open' }) })
  const stricter = readNamespacePolicy(
    { [`${label}enforce`]: 'baseline' },
    { ...unlimited, warn: { level: 'restricted', minor: 1 } },
  )
  assert.deepEqual(stricter.policy.warn, { level: 'restricted', minor: 1 })
})

test('namespaces, users and runtime classes can be exempt', async () => {
  const harness = await openPluginHarness()
  await harness.store(namespace('here'), namespace('system'))
  const exemptions = { namespaces: ['system'], usernames: ['builder'], runtimeClasses: ['sandboxed'] }
  const plugin = harness.create(podSecurity, {}, configured({ enforce: 'baseline' }, exemptions))
  const object = (spec: object = {}, metadata: object = {}) => pod('a', { hostPID: true, ...spec }, metadata)
  await harness.admit(plugin, { object: object({}, { namespace: 'system' }) })
  await harness.admit(plugin, { object: object(), user: 'builder' })
  await harness.admit(plugin, { object: object({ runtimeClassName: 'sandboxed' }) })
  await rejectionOf(harness.admit(plugin, { object: object({ runtimeClassName: 'other' }) }))
})

test('an exempt namespace is told that its labels count for nothing', async () => {
  const harness = await openPluginHarness()
  const plugin = harness.create(podSecurity, {}, configured({}, { namespaces: ['system'] }))
  const labels = { [`${label}enforce`]: 'baseline', [`${label}warn`]: 'restricted' }
  const { warnings } = await harness.admit(plugin, { object: namespace('system', labels) })
  assert.deepEqual(warnings, [
    'namespace "system" is exempt from Pod Security, and the policy (enforce=baseline:latest, warn=restricted:latest) will be ignored',
  ])
  assert.deepEqual((await harness.admit(plugin, { object: namespace('system') })).warnings, [])
})

test('each violation says who and what', () => {
  const container = (name: string, securityContext: object) => ({ name, securityContext })
  const reasons = (level: 'baseline' | 'restricted', spec: object, minor?: number) =>
    new PodSecurityStandards()
      .violations({ level, minor }, { metadata: {}, spec: { containers: [], ...spec } as never })
      .map(({ reason, detail }) => `${reason}: ${detail}`)
  assert.deepEqual(reasons('baseline', { containers: [container('a', { capabilities: { add: ['BPF', 'CHOWN'] } })] }), [
    'non-default capabilities: container "a" must not include "BPF" in securityContext.capabilities.add',
  ])
  assert.deepEqual(reasons('baseline', { securityContext: { seLinuxOptions: { type: 'x', role: 'r' } } }), [
    'seLinuxOptions: pod set forbidden securityContext.seLinuxOptions: type "x"; role may not be set',
  ])
  assert.deepEqual(reasons('baseline', { containers: [{ name: 'a', livenessProbe: { httpGet: { host: 'h' } } }] }), [
    'probe or lifecycle host: container "a" uses probe or lifecycle host "h"',
  ])
  assert.deepEqual(
    reasons('baseline', { containers: [{ name: 'a', livenessProbe: { httpGet: { host: 'h' } } }] }, 33),
    [],
  )
  assert.deepEqual(reasons('restricted', { volumes: [{ name: 'v', hostPath: { path: '/' } }] }), [
    'restricted volume types: volume "v" uses restricted volume type "hostPath"',
  ])
  assert.deepEqual(
    reasons('restricted', { os: { name: 'windows' }, containers: [container('a', { runAsNonRoot: true })] }),
    [],
  )
})
