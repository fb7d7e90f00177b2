import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type HostAccess, thisHost } from '../../client/host-access.js'
import { startTestApiServer, type TestApiServer } from '../../testing/servers/api-server.js'
import { download } from './download.js'

let server: TestApiServer
let folder: string
before(async () => {
  server = await startTestApiServer()
  folder = mkdtempSync(join(tmpdir(), 'proa-download-'))
})
after(async () => {
  rmSync(folder, { recursive: true })
  await server.close()
})

const machine = (roots: string): HostAccess => ({ ...thisHost(), variables: { SSL_CERT_FILE: roots } })

test('a server is known by those whom the system trusts', async () => {
  const trusted = join(folder, 'roots.pem')
  writeFileSync(trusted, server.authority)
  assert.match(await download(`${server.url}/version`, machine(trusted)), /"gitVersion"/)
})

test('a server whom nobody knows is not listened to', async () => {
  const others = join(folder, 'others.pem')
  writeFileSync(others, '')
  await assert.rejects(download(`${server.url}/version`, machine(others)), /self-signed|unable to (verify|get)/)
})

test('a redirection is followed, round in circles it is not, and a refusal is told', async (context) => {
  const web = createServer((request, response) => {
    if (request.url === '/') response.end('here')
    else if (request.url === '/away') response.writeHead(302, { location: '/' }).end()
    else if (request.url === '/round') response.writeHead(302, { location: '/round' }).end()
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  context.after(() => web.close())
  const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
  assert.equal(await download(`${url}/away`, thisHost()), 'here')
  await assert.rejects(download(`${url}/round`, thisHost()), /status code=302/)
  const told = `unable to read URL "${url}/none", server reported 404 Not Found, status code=404`
  await assert.rejects(download(`${url}/none`, thisHost()), { message: told })
})
