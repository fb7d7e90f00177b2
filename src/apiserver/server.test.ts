import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { Endpoints } from '../api/core/v1/endpoints.js'
import { Pod } from '../api/core/v1/pod.js'
import { Service } from '../api/core/v1/service.js'
import { EndpointSlice } from '../api/discovery/v1/endpoint-slice.js'
import { startTestApiServer } from '../testing/servers/api-server.js'
import { httpsClient, inProcessClient } from '../testing/servers/clients.js'
import { createServerFolder } from '../testing/servers/server-folder.js'

test('a server that takes any free port publishes the one that it got', async () => {
  await using server = await startTestApiServer({ storage: 'disk' })
  const port = Number(new URL(server.url).port)
  const client = inProcessClient(server)
  const slice = await client.resource(EndpointSlice).in('default').get('kubernetes')
  assert.deepEqual(slice.ports, [{ name: 'https', port, protocol: 'TCP' }])
  const endpoints = await client.resource(Endpoints).in('default').get('kubernetes')
  assert.equal(endpoints.subsets![0]!.ports![0]!.port, port)
  const service = await client.resource(Service).in('default').get('kubernetes')
  assert.equal(service.spec.ports![0]!.targetPort, port)
  const far = httpsClient(server)
  const { bytes } = await far.raw('/api')
  assert.equal(
    JSON.parse(Buffer.from(bytes).toString()).serverAddressByClientCIDRs[0].serverAddress,
    `127.0.0.1:${port}`,
  )
  far.close()
})

test('a server that cannot be put together gives its port back', async () => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port: securePort } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  const admission = { enabled: ['NoSuchPlugin'], disabled: [] }
  await assert.rejects(startTestApiServer({ options: { securePort, admission } }), /unknown admission plugin/)
  await using server = await startTestApiServer({ options: { securePort } })
  assert.equal(new URL(server.url).port, String(securePort))
})

test('a file says what admission plugins are told', async (context) => {
  const { path } = createServerFolder()
  context.after(() => rmSync(path, { recursive: true }))
  const configFile = join(path, 'admission.json')
  const configuration = {
    apiVersion: 'pod-security.admission.config.k8s.io/v1',
    kind: 'PodSecurityConfiguration',
    defaults: { enforce: 'baseline' },
  }
  const plugins = [{ name: 'PodSecurity', configuration }]
  const file = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration', plugins }
  writeFileSync(configFile, JSON.stringify(file))
  const admission = { enabled: [], disabled: ['ServiceAccount'], configFile }
  await using server = await startTestApiServer({ options: { admission } })
  const pods = inProcessClient(server).resource(Pod).in('default')
  const spec = { hostPID: true, containers: [{ name: 'main', image: 'app:1' }] }
  await assert.rejects(pods.create({ metadata: { name: 'a' }, spec }), /violates PodSecurity "baseline:latest"/)
})
