/** Sends each request when the previous response arrives, on plain TLS sockets: Node's HTTP client would cost more than the server. */
import { connect } from 'node:tls'
import { parentPort, workerData } from 'node:worker_threads'
import { adminToken } from '../../src/testing/servers/server-folder.js'
import type { WorkerLoad } from './load-generator.js'

const { url, method, path, body = '', connections, seconds, firstNumber, as = adminToken } = workerData as WorkerLoad
const { hostname, port } = new URL(url)
const head = `${method} ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${as}\r\naccept: application/json\r\ncontent-type: application/json\r\n`
let number = firstNumber
let requests = 0
let refused = 0
const begun = performance.now()
const end = begun + seconds * 1000

await Promise.all(Array.from({ length: connections }, client))
parentPort!.postMessage({ requests, refused, seconds: (performance.now() - begun) / 1000 })

function nextRequest(): string {
  const content = body.replace('@', String(++number))
  return `${head}content-length: ${Buffer.byteLength(content)}\r\n\r\n${content}`
}

/** Runs one connection until the end. Responses must have a content-length header. */
function client(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false })
    let text = ''
    let expected = 0
    const ask = () => {
      text = ''
      expected = 0
      if (performance.now() < end) socket.write(nextRequest())
      else socket.end(resolve)
    }
    socket.setEncoding('latin1').once('secureConnect', ask).once('error', reject)
    socket.on('data', (chunk: string) => {
      text += chunk
      if (expected === 0) expected = lengthOf(text)
      if (expected === 0 || text.length < expected) return
      requests++
      if (!text.startsWith('HTTP/1.1 2')) refused++
      ask()
    })
  })
}

/** Returns the length of head and body together, or 0 if the head is not complete. */
function lengthOf(text: string): number {
  const bodyStart = text.indexOf('\r\n\r\n')
  if (bodyStart < 0) return 0
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, bodyStart + 2)) ?? []
  if (length === undefined) throw new Error(`an answer without its length: ${text.slice(0, 200)}`)
  return bodyStart + 4 + Number(length)
}
