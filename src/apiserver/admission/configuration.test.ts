import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { loadAdmissionConfiguration } from './configuration.js'
import type { EventRateLimitConfiguration } from './event-rate-limit/configuration.js'
import type { PodSecurityConfiguration } from './pod-security/configuration.js'
import { admissionPlugins } from './registry.js'
import type { WebhookAdmissionConfiguration } from './webhooks/configuration.js'

suite('the admission configuration', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proa-admission-'))
  const file = join(folder, 'admission.yaml')
  after(() => rmSync(folder, { recursive: true }))

  function load(plugins: string, head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\n') {
    writeFileSync(file, `${head}plugins:\n${plugins}`)
    return loadAdmissionConfiguration(file, admissionPlugins)
  }

  async function complaint(plugins: string, head?: string): Promise<string> {
    const error = await load(plugins, head).then(
      () => assert.fail('it was taken'),
      (thrown: Error) => thrown,
    )
    return error.message.replaceAll(folder, '.')
  }

  const limits = (text: string) => `- name: EventRateLimit
  configuration:
    apiVersion: eventratelimit.admission.k8s.io/v1alpha1
    kind: Configuration
${text.replace(/^/gm, '    ')}
`

  test('has what plugins are told in itself, or in files beside it', async () => {
    mkdirSync(join(folder, 'more'), { recursive: true })
    writeFileSync(
      join(folder, 'more', 'pods.json'),
      '{"apiVersion":"pod-security.admission.config.k8s.io/v1beta1","kind":"PodSecurityConfiguration","defaults":{"enforce":"baseline"}}',
    )
    const configurations = await load(`- name: PodSecurity
  path: more/pods.json
- name: NamespaceLifecycle
- name: ValidatingAdmissionWebhook
  configuration: {apiVersion: apiserver.config.k8s.io/v1, kind: WebhookAdmissionConfiguration, kubeConfigFile: /k}
${limits('limits:\n- {type: Server, qps: 5, burst: 10}')}`)
    assert.deepEqual((configurations.PodSecurity as PodSecurityConfiguration).defaults, {
      enforce: 'baseline',
      'enforce-version': 'latest',
      audit: 'privileged',
      'audit-version': 'latest',
      warn: 'privileged',
      'warn-version': 'latest',
    })
    assert.deepEqual((configurations.EventRateLimit as EventRateLimitConfiguration).limits, [
      { type: 'Server', qps: 5, burst: 10 },
    ])
    assert.equal((configurations.ValidatingAdmissionWebhook as WebhookAdmissionConfiguration).kubeConfigFile, '/k')
    assert.deepEqual(Object.keys(configurations).sort(), [
      'EventRateLimit',
      'PodSecurity',
      'ValidatingAdmissionWebhook',
    ])
  })

  test('is rejected with the file and the field that are wrong', async () => {
    assert.equal(
      await complaint(limits('limits:\n- {type: Everyone, qps: 0, burst: 10, cacheSize: -1}')),
      './admission.yaml: plugins[0].configuration: [limits[0].type: Unsupported value: "Everyone": supported values: "Namespace", "Server", "SourceAndObject", "User", limits[0].qps: Invalid value: 0: must be positive, limits[0].cacheSize: Invalid value: -1: must not be negative]',
    )
    assert.equal(
      await complaint(limits('limits:\n- {type: Server, qps: 1, burst: 1, brust: 2}')),
      './admission.yaml: plugins[0].configuration: strict decoding error: unknown field "limits[0].brust"',
    )
    assert.match(
      await complaint(limits('limits:\n- {type: Server, qps: many}')),
      /plugins\[0\].configuration: .*limits\.qps/,
    )
    assert.equal(
      await complaint('- {name: PodSecurity, file: x}'),
      './admission.yaml: strict decoding error: unknown field "plugins[0].file"',
    )
    assert.equal(await complaint('- {name: Pods}'), './admission.yaml: plugins[0].name: there is no plugin Pods')
    assert.equal(
      await complaint('- {name: PodSecurity}\n- {name: PodSecurity}'),
      './admission.yaml: plugins[1].name: PodSecurity is configured twice',
    )
    assert.equal(
      await complaint('- {name: LimitRanger, configuration: {}}'),
      './admission.yaml: plugins[0]: LimitRanger takes no configuration',
    )
    assert.match(
      await complaint('- {name: PodSecurity, name: LimitRanger}'),
      /^\.\/admission.yaml: line 4: key "name" already set/,
    )
    assert.match(await complaint('- {name: PodSecurity, path: nowhere.yaml}'), /ENOENT.*\.\/nowhere.yaml/)
    assert.match(
      await complaint('', 'kind: Pod\napiVersion: v1\n'),
      /apiVersion and kind must be apiserver.config.k8s.io\/v1 and AdmissionConfiguration; they are v1 and Pod/,
    )
  })

  test('of one plugin is not taken for that of another', async () => {
    const wrong = '{apiVersion: apiserver.config.k8s.io/v1, kind: ResourceQuotaConfiguration}'
    assert.match(
      await complaint(`- {name: PodSecurity, configuration: ${wrong}}`),
      /must be pod-security.admission.config.k8s.io\/v1 and PodSecurityConfiguration/,
    )
  })

  test('names only what there can be', async () => {
    const pods = (more: string) =>
      `- {name: PodSecurity, configuration: {apiVersion: pod-security.admission.config.k8s.io/v1, kind: PodSecurityConfiguration, ${more}}}`
    assert.equal(
      await complaint(
        pods('defaults: {enforce: strict, warn-version: v2}, exemptions: {namespaces: [A, b, b], usernames: [""]}'),
      ),
      './admission.yaml: plugins[0].configuration: [defaults.enforce: Invalid value: "strict": must be one of privileged, baseline, restricted, defaults.warn-version: Invalid value: "v2": must be "latest" or "v1.x", exemptions.namespaces[0]: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or \'-\', and must start and end with an alphanumeric character (e.g. \'my-name\',  or \'123-abc\', regex used for validation is \'[a-z0-9]([-a-z0-9]*[a-z0-9])?\'), exemptions.namespaces[2]: Duplicate value: "b", exemptions.usernames[0]: Required value]',
    )
    const webhook =
      '{apiVersion: apiserver.config.k8s.io/v1, kind: WebhookAdmissionConfiguration, kubeConfigFile: here}'
    assert.equal(
      await complaint(`- {name: MutatingAdmissionWebhook, configuration: ${webhook}}`),
      './admission.yaml: plugins[0].configuration: kubeConfigFile: Invalid value: "here": must be an absolute file path',
    )
    const quota =
      '{apiVersion: apiserver.config.k8s.io/v1, kind: ResourceQuotaConfiguration, limitedResources: [{apiGroup: ""}]}'
    assert.equal(
      await complaint(`- {name: ResourceQuota, configuration: ${quota}}`),
      './admission.yaml: plugins[0].configuration: limitedResources[0].resource: Required value',
    )
  })
})
