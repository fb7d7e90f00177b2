/** A bare HTTPS server: the limit of Node on this machine, with which the API server is compared. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

const [key = '', cert = ''] = process.argv.slice(2)
const body = JSON.stringify({ kind: 'Pod', x: 'y'.repeat(2300) })

const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
  response.setHeader('content-type', 'application/json')
  if (request.method !== 'POST') return void response.end(body)
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => response.end(JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()))))
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
