import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { connect } from 'node:tls'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import { startTestApiServer } from '../../testing/servers/api-server.js'
import { httpsClient, inProcessClient } from '../../testing/servers/clients.js'

test('who does not take his answer in time gives his seat to others', async () => {
  const requests = { maxInFlight: 400, maxMutatingInFlight: 200, isFair: true, timeout: 1000, minWatchTimeout: 60_000 }
  await using server = await startTestApiServer({ options: { requests } })
  const configMaps = inProcessClient(server).resource(ConfigMap).in('default')
  for (let index = 0; index < 30; index++)
    await configMaps.create({ metadata: { name: `large-${index}` }, data: { large: 'x'.repeat(900_000) } })
  const { hostname: host, port } = new URL(server.url)
  const socket = connect({ host, port: Number(port), ca: server.authority })
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  socket.pause()
  const head = `host: a\r\nauthorization: Bearer ${server.token}\r\n\r\n`
  socket.write(`GET /api/v1/namespaces/default/configmaps HTTP/1.1\r\n${head}`)
  const client = httpsClient(server)
  const running = async () => {
    const { bytes } = await client.raw('/metrics')
    const line = /^apiserver_current_inflight_requests\{request_kind="readOnly"\} (\d+)$/m
    return Number(line.exec(Buffer.from(bytes).toString())?.[1])
  }
  while ((await running()) < 2) await new Promise((resolve) => setTimeout(resolve, 5))
  while ((await running()) > 1) await new Promise((resolve) => setTimeout(resolve, 50))
  assert.ok(!socket.destroyed)
  socket.destroy()
})
