import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ConfigMap } from '../../api/core/v1/config-map.js'
import { string } from '../../schema/fields.js'
import type { Instance } from '../../schema/infer.js'
import { kind } from '../../schema/schema.js'
import { openMemoryServer } from '../registry/server.test.kit.js'
import { loadAdmissionConfiguration } from './configuration.js'
import { admissionPluginsIn, defineAdmissionPlugin } from './definition.js'
import { admissionPlugins } from './registry.js'
import { rejection } from './rejection.js'
import { isFor } from './request.js'

const GreetingConfiguration = kind('greeting.example.com/v1.GreetingConfiguration', {
  optional: { greeting: string(1, { default: 'hello' }) },
})
interface GreetingConfiguration extends Instance<typeof GreetingConfiguration> {}

/** All of a plugin: what `src/apiserver/admission/plugins/greeting.ts` would export. */
const greeting = defineAdmissionPlugin<ConfigMap, GreetingConfiguration>({
  name: 'Greeting',
  position: 35.5,
  isDefault: true,
  configuration: {
    kindNames: ['greeting.example.com/v1/GreetingConfiguration'],
    declarations: [GreetingConfiguration],
    validate: () => [],
  },
  create: (_, configuration) => ({
    handles: (request) => request.operation === 'CREATE' && isFor(request, '', 'configmaps'),
    mutate({ object }) {
      object!.data = { ...object!.data, greeting: configuration?.greeting ?? 'hello' }
    },
    validate(request) {
      if (request.object?.data?.rude) throw rejection(request, 'rude config maps are not welcome')
    },
  }),
})

const definitions = [...admissionPlugins, ...admissionPluginsIn([{ greeting }])]

test('a definition is all that a new plugin needs: order, flags and configuration derive from it', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'proa-toy-plugin-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'admission.yaml')
  writeFileSync(
    file,
    `apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- name: Greeting
  configuration: {apiVersion: greeting.example.com/v1, kind: GreetingConfiguration, greeting: hi}
`,
  )
  const configurations = await loadAdmissionConfiguration(file, definitions)
  const path = '/api/v1/namespaces/default/configmaps'
  const server = await openMemoryServer(undefined, {
    admission: { enabled: [], disabled: [], definitions, configurations },
  })
  const { body } = await server.send('POST', path, { metadata: { name: 'a' } })
  assert.deepEqual(body.data, { greeting: 'hi' })
  const rejected = await server.send('POST', path, { metadata: { name: 'b' }, data: { rude: 'yes' } })
  assert.equal(rejected.code, 403)
  await server.close()

  const disabled = await openMemoryServer(undefined, {
    admission: { enabled: [], disabled: ['Greeting'], definitions },
  })
  const plain = await disabled.send('POST', path, { metadata: { name: 'a' } })
  assert.equal(plain.body.data, undefined)
  await disabled.close()
})

test('no two plugins have one position', async () => {
  const twice = [...definitions, { ...greeting, name: 'Other' }]
  await assert.rejects(
    openMemoryServer(undefined, { admission: { enabled: [], disabled: [], definitions: twice } }),
    /Greeting and Other have one position/,
  )
})
